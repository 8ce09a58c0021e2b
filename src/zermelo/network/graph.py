"""The network as ONNX Runtime plays it: built from weights alone, without PyTorch.

Batch normalisation is folded into the convolution before it: w' = w scale / sqrt(variance + eps).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from zermelo.network.architecture import ACTIVATIONS, Architecture, Layer, Shape, layers

Weights = Mapping[str, NDArray[np.float32]]

EPSILON = 1e-5
"""What PyTorch adds to the variance."""
_OPSET, _IR = 17, 8


def folded(layer: Layer, weights: Weights) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The weight and the bias of a layer, with its normalisation in them."""
    weight = weights[f"{layer.name}.weight"].astype(np.float64)
    if not layer.normalised:
        return weights[f"{layer.name}.weight"], weights[f"{layer.name}.bias"]
    scale = weights[f"{layer.name}.scale"] / np.sqrt(weights[f"{layer.name}.variance"] + EPSILON)
    bias = weights[f"{layer.name}.shift"] - weights[f"{layer.name}.mean"] * scale
    return (weight * scale[:, None, None, None]).astype(np.float32), bias.astype(np.float32)


class _Graph:
    """Nodes that are added one after another, each the input of the next."""

    def __init__(self, architecture: Architecture, shape: Shape) -> None:
        self.slope = ACTIVATIONS[architecture.activation]
        self.layers = {layer.name: layer for layer in layers(architecture, shape)}
        self.nodes: list[onnx.NodeProto] = []

    def add(self, kind: str, *inputs: str, name: str = "", **attributes: Any) -> str:
        output = name or f"{kind}{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [output], **attributes))
        return output

    def layer(self, name: str, x: str) -> str:
        if self.layers[name].size:
            pads = [self.layers[name].size // 2] * 4
            return self.add("Conv", x, f"{name}.w", f"{name}.b", pads=pads)
        return self.add("Gemm", x, f"{name}.w", f"{name}.b", transB=1)

    def active(self, name: str, x: str) -> str:
        return self.activation(self.layer(name, x))

    def activation(self, x: str) -> str:
        return self.add("LeakyRelu", x, alpha=self.slope) if self.slope else self.add("Relu", x)

    def whole(self, x: str) -> str:
        """The mean and the maximum of every plane."""
        mean = self.add("Flatten", self.add("GlobalAveragePool", x))
        return self.add("Concat", mean, self.add("Flatten", self.add("GlobalMaxPool", x)), axis=1)


def _tower(graph: _Graph, architecture: Architecture, shape: Shape) -> tuple[str, str]:
    """The inputs of the policy head and of the value head."""
    if not shape.has_planes:
        x = graph.active("stem", graph.add("Flatten", "planes"))
        for i in range(architecture.blocks):
            x = graph.active(f"block{i}.first", x)
        return x, x
    x = graph.active("stem", "planes")
    for i in range(architecture.blocks):
        inner = graph.active(f"block{i}.first", x)
        if architecture.pooling:
            whole = graph.layer(f"block{i}.pool", graph.whole(inner))
            inner = graph.add("Add", inner, graph.add("Unsqueeze", whole, "axes"))
        if architecture.residual:
            inner = graph.activation(graph.add("Add", x, graph.layer(f"block{i}.second", inner)))
        x = inner
    policy, value = graph.active("policy.squeeze", x), graph.active("value.squeeze", x)
    return policy, graph.whole(value) if architecture.per_cell else graph.add("Flatten", value)


def _logits(graph: _Graph, architecture: Architecture, shape: Shape, policy: str) -> str:
    if not architecture.per_cell:
        return graph.layer("policy.logits", graph.add("Flatten", policy))
    logits = graph.add("Flatten", graph.layer("policy.logits", policy))
    if shape.has_pass:
        logits = graph.add("Concat", logits, graph.layer("policy.pass_logit", graph.whole(policy)), axis=1)
    return logits


def build(architecture: Architecture, shape: Shape, weights: Weights) -> bytes:
    """A serialised ONNX model: `planes` to `logits` and `value`, for any batch size."""
    graph = _Graph(architecture, shape)
    policy, value = _tower(graph, architecture, shape)
    graph.add("Identity", _logits(graph, architecture, shape, policy), name="logits")
    answer = graph.layer("value.answer", graph.active("value.hidden", value))
    if architecture.value == "wdl":
        chances = graph.add("Softmax", answer, axis=1)
        graph.add("Squeeze", graph.add("MatMul", chances, "points"), "last", name="value")
    else:
        graph.add("Squeeze", graph.add("Tanh", answer), "last", name="value")
    constants: dict[str, NDArray[Any]] = {
        "axes": np.array([2, 3], np.int64),
        "last": np.array([1], np.int64),
        "points": np.array([[1.0], [0.0], [-1.0]], np.float32),
    }
    for layer in graph.layers.values():
        if any(f"{layer.name}.w" in node.input for node in graph.nodes):
            constants[f"{layer.name}.w"], constants[f"{layer.name}.b"] = folded(layer, weights)
    used = {name for node in graph.nodes for name in node.input}
    model = helper.make_model(
        helper.make_graph(
            graph.nodes,
            "zermelo",
            [helper.make_tensor_value_info("planes", TensorProto.FLOAT, ["batch", *shape.inputs])],
            [
                helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", shape.actions]),
                helper.make_tensor_value_info("value", TensorProto.FLOAT, ["batch"]),
            ],
            [numpy_helper.from_array(value, name) for name, value in constants.items() if name in used],
        ),
        opset_imports=[helper.make_opsetid("", _OPSET)],
        ir_version=_IR,
    )
    return bytes(model.SerializeToString())

"""Networks that tell a search how good a position is."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from zermelo.errors import ModelError
from zermelo.games.abi import Planes
from zermelo.machine import usable_cores
from zermelo.network import graph
from zermelo.network.architecture import Architecture, Shape
from zermelo.network.model import Model
from zermelo.search.evaluator import Logits, Values


def new_session(model: bytes | str, threads: int = 0) -> onnxruntime.InferenceSession:
    """A session with a serialised model, or the file of one. Its threads sleep when they have nothing to
    do, so that others can work meanwhile; 0 threads: one for each core that this process may use."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads or usable_cores()
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


class OnnxEvaluator:
    """A network played by ONNX Runtime; `replace` gives it new weights."""

    def __init__(
        self, architecture: Architecture, shape: Shape, weights: Mapping[str, NDArray[np.float32]],
        threads: int = 0,
    ) -> None:  # fmt: skip
        self.architecture, self.shape, self.threads = architecture, shape, threads
        self.replace(weights)

    @classmethod
    def of(cls, model: Model, threads: int = 0) -> OnnxEvaluator:
        return cls(model.architecture, model.shape, model.weights, threads)

    def replace(self, weights: Mapping[str, NDArray[np.float32]]) -> None:
        """Play with these weights from now on; whoever remembers answers must forget them."""
        self.session = new_session(graph.build(self.architecture, self.shape, weights), self.threads)

    def __call__(self, planes: Planes, /) -> tuple[Logits, Values]:
        logits, values = self.session.run(["logits", "value"], {"planes": planes})
        return logits, values


class FileEvaluator:
    """Any ONNX file: one input for the planes, and logits and values as its first two outputs."""

    def __init__(self, path: Path, shape: Shape, threads: int = 0) -> None:
        self.name = path.name
        try:
            path.open("rb").close()
            self._session = new_session(
                str(path), threads
            )  # which may have its weights in a file beside it
        except OSError as error:
            raise ModelError(f"{path} cannot be read: {error.strerror}") from error
        except Exception as error:
            raise ModelError(f"{path} is not an ONNX network that can be run: {error}") from error
        inputs, outputs = self._session.get_inputs(), self._session.get_outputs()
        if len(inputs) != 1 or len(outputs) < 2:
            raise ModelError(
                f"{path} has {len(inputs)} inputs and {len(outputs)} outputs; "
                "it must have one for the planes, and at least two: logits and values"
            )
        self._input, self._outputs = inputs[0].name, [output.name for output in outputs[:2]]
        _check(path, "input", inputs[0], shape.inputs)
        _check(path, "first output", outputs[0], (shape.actions,))
        _check(path, "second output", outputs[1], (1,) if len(outputs[1].shape) > 1 else ())

    def __call__(self, planes: Planes, /) -> tuple[Logits, Values]:
        logits, values = self._session.run(self._outputs, {self._input: planes})
        return logits, np.reshape(values, len(planes))


def _check(path: Path, what: str, found: Any, wanted: tuple[int, ...]) -> None:
    """Raise `ModelError` unless this holds numbers of that shape for each position of any batch."""
    batch, *shape = found.shape or ["nothing"]
    fits = len(shape) == len(wanted) and all(
        f == w or not isinstance(f, int) for f, w in zip(shape, wanted, strict=True)
    )
    if not fits or found.type != "tensor(float)":
        raise ModelError(
            f"the {what} of {path}, {found.name}, is {found.type}{shape} for each position, "
            f"not tensor(float){list(wanted)}"
        )
    if isinstance(batch, int):
        raise ModelError(f"the {what} of {path}, {found.name}, is for batches of {batch}, not of any size")


class TorchEvaluator:
    """A network played by PyTorch, on any device that it has."""

    def __init__(self, network: Any, device: str = "cpu") -> None:
        import torch

        self._torch, self.device = torch, torch.device(device)
        self.network = network.to(self.device).eval()

    def __call__(self, planes: Planes, /) -> tuple[Logits, Values]:
        with self._torch.inference_mode():
            answer = self.network(self._torch.from_numpy(planes).to(self.device))
            return answer.logits.cpu().numpy(), answer.value.cpu().numpy()

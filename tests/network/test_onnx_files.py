"""Networks made elsewhere: any ONNX file of the right shape plays."""

import numpy as np
import onnx
import pytest
import torch
from onnx import TensorProto, helper, numpy_helper

import zermelo
from network.networks import SMALL, planes, trained
from zermelo.errors import ModelError
from zermelo.network import graph
from zermelo.network.architecture import Architecture, Shape
from zermelo.network.evaluators import FileEvaluator, OnnxEvaluator
from zermelo.network.module import new_network

CONNECT4 = Shape((2, 6, 7), 7)
FLOAT, DOUBLE = TensorProto.FLOAT, TensorProto.DOUBLE


def plain(inputs=("n", 2, 6, 7), actions=7, values=("n", 1), kind=FLOAT, outputs=2):
    """One dense layer for the logits, prefers the fourth column; the value is always 0.5."""
    cells = int(np.prod(inputs[1:]))
    number = helper.tensor_dtype_to_np_dtype(kind)
    bias = np.zeros(actions, number)
    bias[3] = 1
    width = values[1] if len(values) > 1 else 1
    constants = {
        "w": np.zeros((cells, actions), number), "b": bias,
        "v": np.zeros((cells, width), number), "half": np.full(width, 0.5, number),
        "last": np.array([1]),
    }  # fmt: skip
    nodes = [
        helper.make_node("Flatten", ["x"], ["flat"]),
        helper.make_node("Gemm", ["flat", "w", "b"], ["moves"]),
        helper.make_node("Gemm", ["flat", "v", "half"], ["wide" if len(values) == 1 else "worth"]),
    ]
    if len(values) == 1:
        nodes.append(helper.make_node("Squeeze", ["wide", "last"], ["worth"]))
    told = [
        helper.make_tensor_value_info("moves", kind, [inputs[0], actions]),
        helper.make_tensor_value_info("worth", kind, values),
    ]
    network = helper.make_graph(
        nodes, "plain", [helper.make_tensor_value_info("x", kind, inputs)], told[:outputs],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )  # fmt: skip
    model = helper.make_model(network, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    return model.SerializeToString()


@pytest.mark.parametrize("values", [("n",), ("n", 1)])
def test_a_plain_file_plays(tmp_path, values):
    path = tmp_path / "own.onnx"
    path.write_bytes(plain(values=values))
    logits, told = FileEvaluator(path, CONNECT4)(np.ones((5, 2, 6, 7), np.float32))
    assert logits.argmax(1).tolist() == [3] * 5
    assert told.tolist() == [0.5] * 5
    player = zermelo.player(f"az:model={path},sims=0")
    assert player.choose([zermelo.game("connect4").position()], [0]) == [3]


def test_what_is_exported_plays_the_same(tmp_path):
    model = trained("connect4", SMALL)
    path = tmp_path / "net.onnx"
    path.write_bytes(graph.build(model.architecture, model.shape, model.weights))
    onnx.checker.check_model(onnx.load(path), full_check=True)
    batch = planes(model)
    wanted = OnnxEvaluator.of(model)(batch)
    for told, same in zip(FileEvaluator(path, model.shape)(batch), wanted, strict=True):
        assert np.array_equal(told, same)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (plain(inputs=("n", 3, 6, 7)), "the input of {}, x, is tensor(float)[3, 6, 7] for each position"),
        (plain(inputs=("n", 84)), "not tensor(float)[2, 6, 7]"),
        (plain(actions=8), "the first output of {}, moves, is tensor(float)[8] for each position"),
        (plain(values=("n", 3)), "the second output of {}, worth, is tensor(float)[3]"),
        (plain(kind=DOUBLE), "x, is tensor(double)[2, 6, 7]"),
        (plain(inputs=(1, 2, 6, 7), values=(1, 1)), "x, is for batches of 1, not of any size"),
        (plain(outputs=1), "{} has 1 inputs and 1 outputs; it must have one for the planes"),
        (b"nothing", "{} is not an ONNX network that can be run"),
        (b"", "{} is not an ONNX network that can be run"),
    ],
    ids=["planes", "flat", "actions", "values", "double", "batch", "outputs", "nothing", "empty"],
)
def test_wrong_files_are_refused(tmp_path, data, message):
    path = tmp_path / "own.onnx"
    path.write_bytes(data)
    with pytest.raises(ModelError) as raised:
        FileEvaluator(path, CONNECT4)
    assert message.format(path) in str(raised.value)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(ModelError, match="cannot be read: No such file"):
        FileEvaluator(tmp_path / "own.onnx", CONNECT4)


class _Exported(torch.nn.Module):
    """Logits and value, as a plain ONNX file has them."""

    def __init__(self, network):
        super().__init__()
        self.network = network

    def forward(self, seen):
        answer = self.network(seen)
        return answer.logits, answer.value


def test_weights_may_be_in_a_file_beside_it(tmp_path):
    """As `torch.onnx.export` writes them."""
    options = {"save_as_external_data": True, "location": "net.onnx.data", "size_threshold": 0}
    onnx.save_model(onnx.load_from_string(plain()), tmp_path / "net.onnx", **options)
    assert (tmp_path / "net.onnx.data").exists()
    assert zermelo.analyse("connect4", player=f"az:model={tmp_path / 'net.onnx'},sims=0").best.move == "4"


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # of libraries that PyTorch calls
def test_what_pytorch_exports_plays(tmp_path):
    """The extra `train` brings what `torch.onnx.export` needs."""
    game = zermelo.game("connect4")
    shape, path = Shape.of(game), tmp_path / "net.onnx"
    network = new_network(Architecture(blocks=1, filters=8), shape).eval()
    seen = torch.from_numpy(game.position("4 4").planes())[None].repeat(2, 1, 1, 1)
    torch.onnx.export(
        _Exported(network).eval(),
        (seen,),
        path,
        dynamic_shapes=({0: torch.export.Dim("batch")},),
        verbose=False,
    )
    alone = zermelo.analyse(game, "4 4", player=f"az:model={path},sims=0")
    with torch.inference_mode():
        expected = torch.softmax(network(seen).logits[0], 0).tolist()
    assert [alone[action].prior for action in range(7)] == pytest.approx(expected, abs=1e-4)

"""Pictures as PNG: that they show what their SVG says."""

import io

import pytest
from matplotlib.image import imread

import zermelo
from zermelo.errors import BadParameter
from zermelo.report.raster import png


def picture(*shapes, style=""):
    parts = "".join(shapes)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 60"><style>{style}</style>{parts}</svg>'
    )


def pixels(svg, scale=1.0):
    return (imread(io.BytesIO(png(svg, scale)))[..., :3] * 255).round().astype(int)


def test_shapes_are_where_they_should_be():
    found = pixels(picture('<rect x="10" y="20" width="30" height="20" fill="#ff0000"/>',
                           '<circle cx="80" cy="30" r="10" fill="#0000ff"/>'))  # fmt: skip
    assert found.shape == (60, 100, 3)
    assert found[30, 25].tolist() == [255, 0, 0]
    assert found[30, 80].tolist() == [0, 0, 255]
    for row, col in ((15, 25), (45, 25), (30, 5), (30, 45), (30, 95)):
        assert found[row, col].tolist() == [255, 255, 255]


def test_a_path_is_filled_and_the_scale_is_kept():
    found = pixels(picture('<path d="M10 10H90V50H10z" fill="#00ff00" stroke="none"/>'), scale=2.0)
    assert found.shape == (120, 200, 3)
    assert found[60, 100].tolist() == [0, 255, 0]
    assert found[110, 100].tolist() == [255, 255, 255]


def test_a_view_may_begin_elsewhere():
    found = pixels(
        picture('<rect x="50" y="20" width="50" height="40" fill="#ff0000"/>').replace(
            "0 0 100", "40 10 60"
        )
    )
    assert found.shape == (60, 60, 3)
    assert found[5, 5].tolist() == [255, 255, 255]
    assert found[12, 12].tolist() == [255, 0, 0]


def test_styles_come_from_tags_and_classes_and_groups_but_not_from_the_dark():
    style = "rect{fill:#ff0000}.b{fill:#0000ff}@media (prefers-color-scheme:dark){rect{fill:#000000}}"
    shapes = (
        '<rect x="0" y="0" width="40" height="60"/>',
        '<rect class="b" x="40" y="0" width="40" height="60"/>',
        '<g fill="#00ff00"><circle cx="90" cy="30" r="8"/></g>',
    )
    found = pixels(picture(*shapes, style=style))
    colours = [found[30, col].tolist() for col in (20, 60, 90)]
    assert colours == [[255, 0, 0], [0, 0, 255], [0, 255, 0]]


def test_words_leave_ink_where_they_stand():
    found = pixels(picture('<text x="50" y="30" text-anchor="middle">here</text>'))
    assert (found[18:34, 30:70] < 128).any()
    assert not (found[40:, :] < 128).any()


def test_boards_show_their_stones():
    connect4 = zermelo.game("connect4")
    found = pixels(connect4.svg(connect4.position("4")))
    # Column 4 of the lowest row: red but for the mark of the last move in its middle.
    assert found[246, 178].tolist() == [229, 72, 77]


def test_what_cannot_be_drawn_is_told():
    with pytest.raises(BadParameter, match="<ellipse>"):
        png(picture('<ellipse cx="1" cy="1"/>'))
    with pytest.raises(BadParameter, match="of a path"):
        png(picture('<path d="M1"/>'))

"""What the tests of the search share."""

from search.test_reference import Hashed
from zermelo.search.config import SearchConfig
from zermelo.search.job import Job
from zermelo.search.pool import Pool


class Counted(Hashed):
    """Remembers how many positions it was asked for, and which."""

    def __init__(self, game):
        super().__init__(game)
        self.asked = []

    def __call__(self, planes):
        self.asked += [one.tobytes() for one in planes]
        return super().__call__(planes)


def search(game, position, evaluator, pool=None, **options):
    config = SearchConfig(**{"simulations": 150, "proofs": False, **options})
    (result,) = (pool or Pool(game)).search([Job(position, config, evaluator)])
    return result

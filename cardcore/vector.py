"""The batch: many games at once; whoever is to act acts, ended games begin anew at once."""

from __future__ import annotations

import copy
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardcore.bits import WORD, count_bits, nth_set, row_of, word_of_row
from cardcore.jit import kernel
from cardcore.options import whole_number
from cardcore.rng import below, seed_in_stream, substream
from cardcore.saves import records_of
from cardcore.spec import LARGEST_SEED, GameSpec, as_games, check_seed, fresh_seed
from cardcore.tables import known_keys
from cardcore.threads import Team

NAMED_LANES = 5  # an error describes this many lanes and counts the rest
CHANCE = np.dtype([("rng", np.uint64)])  # the generator of `sample`
SAMPLES = 1  # the key of its seeds
LISTED_LANES = 100  # and lists this many of the rest
FOUR_WORDS = 4 * WORD


class Step(NamedTuple):
    """What a batch shows: in each of n lanes the seat to act; it stays as it is for one step."""

    observation: NDArray[np.int8]  # [n, obs] of the seat to act
    mask: NDArray[np.int8]  # [n, actions] of the seat to act
    seat: NDArray[np.int64]  # [n] to act
    rewards: NDArray[np.float32]  # [n, num_players] minus what the step cost each seat
    done: NDArray[np.bool_]  # [n] the step ended a game; the lane shows the next one
    final_scores: NDArray[np.int32]  # [n, num_players] totals of the game that ended, else 0
    game_seed: NDArray[np.int64]  # [n] of the game on show; `reset(seed=that)` replays it
    final_observation: NDArray[np.int8]  # [n, num_players, obs] on request, valid where done


class VectorGames:
    """n games of one kind and one set of options, stepped together.

    The arrays of a `Step` are written again at the step after the next: this one and the one before
    can be held side by side; copy what is to be kept for longer.
    """

    def __init__(
        self,
        spec: GameSpec,
        n: int,
        *,
        num_players: int | None = None,
        seed: int | None = None,
        threads: int = 1,
        final_observations: bool = False,
        **options: Any,
    ) -> None:
        if not isinstance(spec, GameSpec):
            raise TypeError(f"spec must be a GameSpec such as find_game('...'), not {spec!r}")
        self.spec = spec
        self.n = whole_number("n", n, 1, 2**31)
        self.options = spec.checked(num_players, options)
        self.num_players: int = self.options["num_players"]
        self.threads = whole_number("threads", threads, 1, 1024)
        self._team = Team(self.n, self.threads)
        self._games = spec.new_games(self.n, self.options)
        self._shown = [self._new_step(final_observations, self.n) for _ in range(2)]
        self._bad = np.empty(self.n, np.int64)
        self._started = False
        self._stale = False  # whether a step was cut short, so that what is shown may be old
        planted = fresh_seed() if seed is None else check_seed(seed)
        self._plant(self._games, planted)
        self._chance = as_games(np.zeros(self.n, CHANCE))
        self._plant_chance(planted)

    # the course of the games

    def reset(
        self,
        seed: int | None = None,
        *,
        game_seed: ArrayLike | None = None,
        first_deal: ArrayLike | None = None,
        options: dict[str, Any] | None = None,
    ) -> Step:
        """A new game in every lane: of a new seed, of given game seeds, or the next of a stream.

        With `first_deal` all lanes play one and the same stream, that of `seed`: lane i begins with
        its first_deal[i]-th game and goes on from there.
        """
        table = known_keys(options, self.spec.table_keys)
        games = self._games.copy()
        if seed is not None:
            self._plant(games, check_seed(seed))
        if first_deal is not None:
            if seed is None or game_seed is not None:
                raise ValueError("first_deal counts the games of a seed: give seed, no game_seed")
            games["episode"] = self._whole_numbers("first_deal", first_deal)
            if games["episode"].min() < 0:
                raise ValueError("first_deal must not be negative")
            games["stream"] = games["stream"][0]
        if game_seed is not None:
            games["game_seed"] = self._whole_numbers("game_seed", game_seed)
            if games["game_seed"].min() < 0:
                raise ValueError("game_seed must not be negative")
        self.spec.kernels.begin_all(games, game_seed is not None)
        if table:
            records = games.view(np.recarray)
            for i in range(self.n):
                self.spec.lay_table(records[i], table)
            self.spec.kernels.begin_play_all(games)
        self._games[:] = games
        if seed is not None:
            self._plant_chance(seed)
        self._started = True
        return self.look()

    def step(self, actions: ArrayLike) -> Step:
        """Carry out one action in every lane, or, if any is illegal, say where and move none."""
        self._need_start("step")
        chosen = self._whole_numbers("actions", actions)
        out = self._shown[1]
        with self._team.start(self.spec.kernels.step_all, self._games, chosen, *out) as work:
            n_bad = self.spec.kernels.illegal_all(self._games, chosen, self._bad)
            work.go = n_bad == 0
            self._stale = work.go
        if n_bad:
            raise ValueError(self._why_illegal(chosen, self._bad[:n_bad]))
        self._shown.reverse()
        self._stale = False
        return out

    def look(self) -> Step:
        """What is on show now; nobody moves, so there are no rewards and nothing is done."""
        self._need_start("look")
        self._shown.reverse()
        out = self._shown[0]
        with self._team.start(self.spec.kernels.show_all, self._games, *out):
            self._stale = True
        self._stale = False
        return out

    def sample(self) -> NDArray[np.int64]:
        """A random legal action for every lane, for random play and trying things out.  # [n]"""
        self._need_start("sample")
        actions = np.empty(self.n, np.int64)
        sample_all(self._on_show().mask, self._chance, actions)
        return actions

    def keep(self, lanes: ArrayLike) -> Step:
        """Go on with these lanes alone, in this order; what was shown before is written over."""
        self._need_start("keep")
        kept = np.asarray(lanes)
        if kept.ndim != 1 or kept.dtype.kind not in "iu" or not 1 <= len(kept) <= self.n:
            raise ValueError(f"lanes must be a row of 1 to {self.n} whole numbers, not {lanes!r}")
        if kept.min() < 0 or kept.max() >= self.n:
            raise ValueError(f"lanes must be from 0 to {self.n - 1}")
        to = np.flatnonzero(kept != np.arange(len(kept)))
        for rows in (self._games, self._chance, *self._on_show()):
            if len(rows):
                rows[to] = rows[kept[to]]
        self.n = len(kept)
        self._games, self._chance = self._games[: self.n], self._chance[: self.n]
        self._bad = self._bad[: self.n]
        self._shown = [Step._make(rows[: self.n] for rows in step) for step in self._shown]
        self._team = Team(self.n, self.threads)
        return self._shown[0]

    # what can be seen

    @property
    def games(self) -> np.recarray[Any, Any]:
        """The records themselves: `games.hand` is [n, seat, ...], `games[i]` is one game."""
        return self._games.view(np.recarray)

    def observe(self, seats: ArrayLike) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
        """What one seat of each lane sees and may do.  # [n, obs], [n, actions]"""
        self._need_start("observe")
        chosen = self._whole_numbers("seats", seats)
        if chosen.min() < 0 or chosen.max() >= self.num_players:
            raise ValueError(f"seats must be from 0 to {self.num_players - 1}")
        seen = np.empty((self.n, self.spec.obs_size), np.int8)
        mask = np.empty((self.n, self.spec.n_actions), np.int8)
        self.spec.kernels.observe_all(self._games, chosen, seen, mask)
        return seen, mask

    def state(self) -> NDArray[np.int8]:
        """The full truth of every lane.  # [n, state]"""
        self._need_start("state")
        out = np.empty((self.n, self.spec.state_size), np.int8)
        self.spec.kernels.state_all(self._games, out)
        return out

    def snapshot(self, i: int) -> dict[str, Any]:
        """The full truth of one lane as plain Python."""
        self._need_start("snapshot")
        return self.spec.snapshot(self.games[whole_number("lane", i, 0, self.n - 1)])

    def save(self) -> bytes:
        """All games as they stand, for `load` of a batch of the same make."""
        self._need_start("save")
        return self._games.tobytes()

    def load(self, content: bytes) -> Step:
        """Go on from what `save` gave; games that cannot be are refused and nothing changes."""
        if len(content) != self._games.nbytes:
            raise ValueError(
                f"{len(content)} bytes are not {self.n} games of {self.spec.name}, "
                f"which have {self._games.nbytes}"
            )
        self._games[:] = records_of(self.spec, self.options, content)
        self._started = True
        return self.look()

    def clone(self) -> VectorGames:
        """A second batch that goes on from here on its own."""
        return self.fork(np.arange(self.n))

    def fork(self, lanes: NDArray[np.int64]) -> VectorGames:
        """A batch whose games are copies of these lanes', which may stand there more than once."""
        shown = Step._make(rows[lanes] if len(rows) else rows for rows in self._on_show())
        twin = copy.copy(self)
        twin.n = len(lanes)
        twin._games, twin._chance = self._games[lanes], self._chance[lanes]
        twin._bad = np.empty(twin.n, np.int64)
        twin._shown = [shown, self._new_step(len(shown.final_observation) > 0, twin.n)]
        twin._team = Team(twin.n, self.threads)
        return twin

    def put(self, lanes: NDArray[np.int64], fork: VectorGames) -> None:
        """Take the games of a fork of these lanes back, and what it shows; each lane once."""
        self._games[lanes] = fork._games
        shown, theirs = self._on_show(), fork._on_show()
        for name in Step._fields:
            if len(rows := getattr(shown, name)):
                rows[lanes] = getattr(theirs, name)

    # inside

    def _on_show(self) -> Step:
        """What was shown last, anew if a step was cut short."""
        return self.look() if self._stale else self._shown[0]

    def _new_step(self, final_observations: bool, n: int) -> Step:
        """Arrays for n lanes."""
        seats = self.num_players
        n_final = n if final_observations else 0
        return Step(
            observation=np.zeros((n, self.spec.obs_size), np.int8),
            mask=np.zeros((n, self.spec.n_actions), np.int8),
            seat=np.zeros(n, np.int64),
            rewards=np.zeros((n, seats), np.float32),
            done=np.zeros(n, np.bool_),
            final_scores=np.zeros((n, seats), np.int32),
            game_seed=np.zeros(n, np.int64),
            final_observation=np.zeros((n_final, seats, self.spec.obs_size), np.int8),
        )

    def _need_start(self, call: str) -> None:
        if not self._started:
            raise RuntimeError(f"call reset() before {call}()")

    def _plant(self, games: NDArray[Any], seed: int) -> None:
        """Give every lane its stream of game seeds."""
        streams_all(seed, games["stream"])
        games["episode"] = 0

    def _plant_chance(self, seed: int) -> None:
        """Give every lane the generator behind `sample`, apart from its stream."""
        streams_all(int(seed_in_stream(np.uint64(seed), SAMPLES)), self._chance["rng"])

    def _whole_numbers(self, name: str, values: ArrayLike) -> NDArray[np.int64]:
        """One whole number for every lane."""
        array = np.asarray(values)
        if array.shape != (self.n,):
            raise ValueError(f"{name} must have shape ({self.n},), one a lane, not {array.shape}")
        if array.dtype == np.int64 and array.flags.carray:
            return array
        if array.dtype.kind not in "iu":
            raise TypeError(f"{name} must be whole numbers, not {array.dtype}")
        if array.max() > LARGEST_SEED:
            raise ValueError(f"{name} must be 64-bit numbers with a sign, not {array.max()}")
        return array.astype(np.int64)

    def _why_illegal(self, chosen: NDArray[np.int64], lanes: NDArray[np.int64]) -> str:
        """The lanes whose action is illegal, the first of them in words."""
        told = [
            f"lane {i}: {self.spec.why_not(self.games[i], int(chosen[i]))}"
            for i in lanes[:NAMED_LANES]
        ]
        if more := lanes[NAMED_LANES:].tolist():
            listed = ", ".join(map(str, more[:LISTED_LANES]))
            told.append(f"and {len(more)} more lanes: {listed}{' …' * (len(more) > LISTED_LANES)}")
        return f"illegal in {len(lanes)} of {self.n} lanes, none has moved: {'; '.join(told)}"


@kernel
def streams_all(seed, streams):
    """The stream of each lane, from the seed of the batch."""
    for i in range(streams.shape[0]):
        streams[i] = substream(seed, i)


@kernel
def sample_all(mask, chance, actions):
    """A legal action of each lane, each as likely as the others."""
    n_actions = mask.shape[1]
    for i in range(mask.shape[0]):
        row = row_of(mask, i)
        if n_actions <= FOUR_WORDS:
            actions[i] = random_place(row, n_actions, chance[i])
        else:
            actions[i] = random_place_of_many(row, n_actions, chance[i])


@kernel
def random_place(row, n, chance):
    """One of the places that are 1 in a row of at most 256, which is read only once."""
    a, b = word_of_row(row, n, 0), word_of_row(row, n, 1)
    c, d = word_of_row(row, n, 2), word_of_row(row, n, 3)
    in_a = count_bits(a)
    in_ab = in_a + count_bits(b)
    in_abc = in_ab + count_bits(c)
    nth = below(chance, in_abc + count_bits(d))
    word, start, before = a, 0, 0
    if nth >= in_a:
        word, start, before = b, WORD, in_a
    if nth >= in_ab:
        word, start, before = c, 2 * WORD, in_ab
    if nth >= in_abc:
        word, start, before = d, 3 * WORD, in_abc
    return start + nth_set(word, nth - before)


@kernel
def random_place_of_many(row, n, chance):
    """One of the places that are 1 in a row of any length."""
    n_words = (n + WORD - 1) // WORD
    n_set = 0
    for k in range(n_words):
        n_set += count_bits(word_of_row(row, n, k))
    nth = below(chance, n_set)
    for k in range(n_words):
        word = word_of_row(row, n, k)
        if nth < count_bits(word):
            return WORD * k + nth_set(word, nth)
        nth -= count_bits(word)
    return n  # never: a seat that is asked has something to choose

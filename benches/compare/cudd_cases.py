"""The cases of benches/kernel/cases.rs on CUDD, through the package `dd`.

A case is a function of the same name in both files: it declares the same variables in
the same order, and does the same operations in the same sequence. Work that takes long
is in few calls, so that Python's own share stays small; `calls` counts them.

    python cudd_cases.py CASE [--no-reordering] [--size N]    prints one line of JSON
"""

import argparse
import json
import math
import time

from dd import cudd


class Diagrams:
    """A manager, with the operations named as in the Rust file."""

    def __init__(self, reordering):
        self.bdd = cudd.BDD()
        self.bdd.configure(reordering=reordering)
        self.calls = 0
        self.one = Function(self, self.bdd.true)
        self.zero = Function(self, self.bdd.false)

    def variables(self, count):
        first = len(self.bdd.vars)
        names = [f"v{index}" for index in range(first, first + count)]
        self.bdd.declare(*names)
        return names

    def literal(self, name):
        return self.made(self.bdd.var(name))

    def literals(self, names):
        return [self.literal(name) for name in names]

    def group(self, variables):
        """Keeps neighbours together; called when all variables exist."""
        self.bdd.group({variables[0]: len(variables)})

    def made(self, node):
        self.calls += 1
        return Function(self, node)


class Function:
    __slots__ = ("owner", "node")

    def __init__(self, owner, node):
        self.owner = owner
        self.node = node

    def __invert__(self):
        return self.owner.made(~self.node)

    def __and__(self, other):
        return self.owner.made(self.node & other.node)

    def __or__(self, other):
        return self.owner.made(self.node | other.node)

    def __xor__(self, other):
        return self.owner.made(self.owner.bdd.apply("^", self.node, other.node))

    def __eq__(self, other):
        return self.node == other.node

    def ite(self, then, otherwise):
        return self.owner.made(self.owner.bdd.ite(self.node, then.node, otherwise.node))

    def exists(self, names):
        return self.owner.made(self.owner.bdd.exist(names, self.node))

    def forall(self, names):
        return self.owner.made(self.owner.bdd.forall(names, self.node))

    def and_exists(self, other, names):
        return self.owner.made(cudd.and_exists(self.node, other.node, names))

    def or_forall(self, other, names):
        return self.owner.made(cudd.or_forall(self.node, other.node, names))

    def rename(self, pairs):
        return self.owner.made(self.owner.bdd.let(dict(pairs), self.node))

    def compose(self, substitution):
        definitions = {name: image.node for name, image in substitution}
        return self.owner.made(self.owner.bdd.let(definitions, self.node))


# Words are lists of functions, the lowest bit first.


def any_of(d, functions):
    result = d.zero
    for function in functions:
        result = result | function
    return result


def at_most_one(d, functions):
    none, one = d.one, d.zero
    for function in functions:
        one = function.ite(none, one)
        none = none & ~function
    return none | one


def less(d, a, b):
    result = d.zero
    for x, y in zip(a, b):
        result = (x ^ y).ite(y, result)
    return result


def equal(d, a, b):
    result = d.one
    for x, y in zip(a, b):
        result = result & ~(x ^ y)
    return result


def equal_to(d, word, value):
    result = d.one
    for bit, function in enumerate(word):
        result = result & (function if value >> bit & 1 else ~function)
    return result


def increment(d, word, carry):
    result = []
    for bit in word:
        result.append(bit ^ carry)
        carry = bit & carry
    return result


def add(d, a, b):
    """The sum, as wide as the first word, and the carry."""
    carry = d.zero
    result = []
    for i, x in enumerate(a):
        y = b[i] if i < len(b) else d.zero
        half = x ^ y
        result.append(half ^ carry)
        carry = (x & y) | (half & carry)
    return result, carry


def select(d, condition, then, otherwise):
    return [condition.ite(x, y) for x, y in zip(then, otherwise)]


class Latches:
    """Current and next variables of latches, in grouped pairs."""

    def __init__(self, d, count):
        variables = d.variables(2 * count)
        self.now = variables[0::2]
        self.then = variables[1::2]

    def group(self, d):
        for now, then in zip(self.now, self.then):
            d.group([now, then])

    def relation(self, d, functions):
        result = d.one
        for name, function in zip(self.then, functions):
            result = result & ~(d.literal(name) ^ function)
        return result

    def to_next(self):
        return list(zip(self.now, self.then))

    def to_now(self):
        return list(zip(self.then, self.now))


def reach(d, latches, initial, relation, inputs):
    """All states that the relation reaches, breadth first."""
    quantified = inputs + latches.now
    to_now = latches.to_now()
    reached, frontier = initial, initial
    while frontier != d.zero:
        image = frontier.and_exists(relation, quantified).rename(to_now)
        frontier = image & ~reached
        reached = reached | image
    return reached


def greatest(d, step):
    current = d.one
    while True:
        following = step(current)
        if following == current:
            return current
        current = following


def least(d, step):
    current = d.zero
    while True:
        following = step(current)
        if following == current:
            return current
        current = following


# Functions.


def queens(d, size):
    """All ways to place `size` queens that do not attack each other."""
    board = [d.literals(d.variables(size)) for _ in range(size)]
    result = d.one
    for row in board:
        result = result & any_of(d, row)
    for i in range(size):
        for j in range(size):
            attacked = [
                board[k][l]
                for k in range(size)
                for l in range(size)
                if (k, l) != (i, j) and (k == i or l == j or abs(k - i) == abs(l - j))
            ]
            result = result & (~board[i][j] | ~any_of(d, attacked))
    return [result]


def multiplier(d, size):
    """The two middle bits of a product."""
    a = d.literals(d.variables(size))
    b = d.literals(d.variables(size))
    total = [d.zero for _ in range(2 * size)]
    for i in range(size):
        carry = d.zero
        for j in range(size + 1 - i):
            partial = a[j] & b[i] if j < size else d.zero
            half = partial ^ total[i + j]
            both = partial & total[i + j]
            total[i + j] = half ^ carry
            carry = both | (half & carry)
    return [total[size - 1], total[size]]


def hidden_weighted_bit(d, size):
    """The bit whose number is how many bits are set."""
    bits = d.literals(d.variables(size))
    weight = [d.one] + [d.zero for _ in range(size)]
    for seen, bit in enumerate(bits):
        for count in range(seen + 1, 0, -1):
            weight[count] = bit.ite(weight[count - 1], weight[count])
        weight[0] = weight[0] & ~bit
    return [any_of(d, [weight[count + 1] & bit for count, bit in enumerate(bits)])]


# Orders that only sifting mends.


def adder(d, size):
    """All bits of a sum, with all bits of one word above all bits of the other."""
    a = d.literals(d.variables(size))
    b = d.literals(d.variables(size))
    carry = d.zero
    result = []
    for x, y in zip(a, b):
        result.append(x ^ y ^ carry)
        carry = (x & y) | (carry & (x | y))
    return result + [carry]


def sorted_words(d, size):
    """Whether five words ascend, with the bits of each word together."""
    words = [d.literals(d.variables(size)) for _ in range(5)]
    result = d.one
    for a, b in zip(words, words[1:]):
        result = result & less(d, a, b)
    return [result]


# Reachability.


def counters(d, size):
    """Five counters of `size` bits in a ring; each may step while it is not ahead of the next."""
    count = 5
    inputs = d.variables(count)
    latches = Latches(d, count * size)
    latches.group(d)
    now = d.literals(latches.now)
    words = [now[i * size : (i + 1) * size] for i in range(count)]
    following = []
    for i, word in enumerate(words):
        ahead = less(d, words[(i + 1) % count], word)
        following += increment(d, word, d.literal(inputs[i]) & ~ahead)
    relation = latches.relation(d, following)
    initial = equal_to(d, now, 0)
    return [reach(d, latches, initial, relation, inputs)]


def shift_register(d, size):
    """`size` words of four bits; a word enters unless the register holds it."""
    width = 4
    inputs = d.variables(width)
    latches = Latches(d, width * size)
    latches.group(d)
    now = d.literals(latches.now)
    words = [now[i * width : (i + 1) * width] for i in range(size)]
    word = d.literals(inputs)
    fresh = ~any_of(d, [equal(d, word, other) for other in words])
    following = []
    for old, new in zip(words, [word] + words):
        following += select(d, fresh, new, old)
    relation = latches.relation(d, following)
    initial = equal_to(d, now, 0)
    return [reach(d, latches, initial, relation, inputs)]


def round_robin(d, size):
    """An arbiter whose token, one-hot, goes past the client that was served."""
    inputs = d.variables(size)
    latches = Latches(d, 3 * size)
    latches.group(d)
    now = d.literals(latches.now)
    token, request, grant = now[:size], now[size : 2 * size], now[2 * size :]
    # The first request from the token on is served.
    chosen = [d.zero for _ in range(size)]
    for start in range(size):
        free = token[start]
        for offset in range(size):
            client = (start + offset) % size
            chosen[client] = chosen[client] | (free & request[client])
            free = free & ~request[client]
    idle = ~any_of(d, request)
    tokens = [idle.ite(token[i], chosen[i - 1]) for i in range(size)]
    requests = [
        (request[i] & ~chosen[i]) | (d.literal(inputs[i]) & ~grant[i]) for i in range(size)
    ]
    relation = latches.relation(d, tokens + requests + chosen)
    initial = token[0] & equal_to(d, token[1:] + request + grant, 0)
    return [reach(d, latches, initial, relation, inputs)]


# Games: the environment moves first, the system answers.


def service(d, size, latches, environment, system):
    """Clients wait until they are served; who waits too long is lost.

    Returns the next waiting times and where nobody is lost."""
    width = 4
    now = d.literals(latches.now)
    following = []
    safe = d.one
    for i in range(size):
        word = now[i * width : (i + 1) * width]
        waits = d.literal(environment[i]) | ~equal_to(d, word, 0)
        served = d.literal(system[i])
        following += [bit & ~served for bit in increment(d, word, waits)]
        safe = safe & ~equal_to(d, word, size + 1 + i % 2)
    return following, safe


def safety_relation(d, size):
    """The states from which one server keeps all clients, by a transition relation."""
    environment = d.variables(size)
    system = d.variables(size)
    latches = Latches(d, 4 * size)
    latches.group(d)
    following, safe = service(d, size, latches, environment, system)
    relation = latches.relation(d, following) & at_most_one(d, d.literals(system))
    to_next = latches.to_next()
    quantified = latches.then + system

    def step(target):
        allowed = relation.and_exists(target.rename(to_next), quantified)
        return safe & allowed.forall(environment)

    return [greatest(d, step)]


def safety_compose(d, size):
    """The same game, by composition of next-state functions."""
    environment = d.variables(size)
    system = d.variables(size)
    latches = Latches(d, 4 * size)
    latches.group(d)
    following, safe = service(d, size, latches, environment, system)
    legal = at_most_one(d, d.literals(system))
    substitution = list(zip(latches.now, following))

    def step(target):
        allowed = target.compose(substitution).and_exists(legal, system)
        return safe & allowed.forall(environment)

    return [greatest(d, step)]


def cinderella(d, size):
    """Five buckets in a ring, with levels of `size` bits. The environment pours half a
    bucket, spread as it likes; the system empties two neighbours. No bucket may overflow.
    By composition."""
    count = 5
    environment = d.variables(count * (size - 1))
    system = d.variables(count)
    latches = Latches(d, count * size)
    latches.group(d)
    now = d.literals(latches.now)
    poured = d.literals(environment)
    choice = d.literals(system)
    total = [d.zero] * (size + 2)
    following = []
    legal = at_most_one(d, choice)
    for i in range(count):
        amount = poured[(size - 1) * i : (size - 1) * (i + 1)]
        total, _ = add(d, total, amount)
        level, overflow = add(d, now[size * i : size * (i + 1)], amount)
        emptied = choice[i] | choice[i - 1]
        following += [bit & ~emptied for bit in level]
        legal = legal & ~overflow
    fair = equal_to(d, total, 1 << (size - 1))
    substitution = list(zip(latches.now, following))

    def step(target):
        allowed = target.compose(substitution).and_exists(legal, system)
        return allowed.or_forall(~fair, environment)

    return [greatest(d, step)]


def gr1(d, environment, system, assumptions, guarantees, rho_e, rho_s):
    """The winning states of a generalised reactivity game of rank one."""
    to_next = environment.to_next() + system.to_next()

    def controllable(target):
        answer = rho_s.and_exists(target.rename(to_next), system.then)
        return answer.or_forall(~rho_e, environment.then)

    def all_goals(z):
        for guarantee in guarantees:
            at_goal = guarantee & controllable(z)

            def closer(y):
                start = at_goal | controllable(y)
                result = d.zero
                for assumption in assumptions:

                    def waiting(x):
                        return start | (~assumption & controllable(x))

                    result = result | greatest(d, waiting)
                return result

            z = least(d, closer)
        return z

    return [greatest(d, all_goals)]


def moved(d, old, new):
    """Whether a coordinate stays or changes by one, without going round."""
    up = equal(d, new, increment(d, old, d.one)) & ~equal_to(d, new, 0)
    down = equal(d, old, increment(d, new, d.one)) & ~equal_to(d, old, 0)
    return equal(d, old, new) | up | down


def gr1_robot(d, size):
    """A robot on a square grid visits three of its edges again and again, and must not
    meet two others, which move along the axes and leave the corner at times."""
    environment = Latches(d, 4 * size)
    system = Latches(d, 2 * size)
    environment.group(d)
    system.group(d)
    e, e2 = d.literals(environment.now), d.literals(environment.then)
    s, s2 = d.literals(system.now), d.literals(system.then)
    sx, sy, sx2, sy2 = s[:size], s[size:], s2[:size], s2[size:]
    rho_e = d.one
    rho_s = moved(d, sx, sx2) & moved(d, sy, sy2)
    assumptions = []
    for i in (0, 2 * size):
        ex, ey, ex2, ey2 = e[i : i + size], e[i + size : i + 2 * size], e2[i : i + size], e2[i + size : i + 2 * size]
        rho_e = rho_e & moved(d, ex, ex2) & moved(d, ey, ey2)
        rho_e = rho_e & (equal(d, ex, ex2) | equal(d, ey, ey2))
        # Neither at the same place, nor exchanging places.
        rho_s = rho_s & ~(equal(d, sx2, ex2) & equal(d, sy2, ey2))
        rho_s = rho_s & ~(equal(d, sx2, ex) & equal(d, sy2, ey))
        assumptions.append(~(equal_to(d, ex, 0) & equal_to(d, ey, 0)))
    last = (1 << size) - 1
    guarantees = [equal_to(d, sx, 0), equal_to(d, sx, last), equal_to(d, sy, last)]
    return gr1(d, environment, system, assumptions, guarantees, rho_e, rho_s)


# Which size each case has; and without reordering, if that ever ends.
CASES = {
    queens: (9, 10),
    multiplier: (11, 12),
    hidden_weighted_bit: (44, 36),
    adder: (200, None),
    sorted_words: (64, None),
    counters: (5, 4),
    shift_register: (6, 5),
    round_robin: (20, None),
    safety_relation: (12, 8),
    safety_compose: (12, 10),
    cinderella: (5, None),
    gr1_robot: (3, None),
}


def memory(field):
    """Bytes, from the process's own status."""
    with open("/proc/self/status") as status:
        for line in status:
            if line.startswith(field):
                return int(line.split()[1]) * 1024


def reorder_until_stable(d, results):
    """Sifts until the results shrink by less than one part in a hundred."""
    nodes = [f.node for f in results]
    while True:
        before = cudd.count_nodes(nodes)
        cudd.reorder(d.bdd)
        if cudd.count_nodes(nodes) * 100 >= before * 99:
            return


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("case", nargs="?")
    parser.add_argument("--list", action="store_true", help="the cases and their sizes, also without reordering")
    parser.add_argument("--size", type=int)
    parser.add_argument("--no-reordering", action="store_true")
    arguments = parser.parse_args()
    if arguments.list:
        print(json.dumps({case.__name__: sizes for case, sizes in CASES.items()}))
        return
    case = next(case for case in CASES if case.__name__ == arguments.case)
    size = arguments.size or CASES[case][arguments.no_reordering]
    baseline = memory("VmRSS")
    start = time.process_time()
    d = Diagrams(not arguments.no_reordering)
    results = case(d, size)
    seconds = time.process_time() - start
    statistics = d.bdd.statistics()
    start = time.process_time()
    reorder_until_stable(d, results)
    final_sift = time.process_time() - start
    variables = len(d.bdd.vars)
    report = {
        "case": case.__name__,
        "size": size,
        "reordering": not arguments.no_reordering,
        "seconds": seconds,
        "final_sift_seconds": final_sift,
        "bytes": memory("VmHWM") - baseline,
        # CUDD counts the terminal.
        "nodes": cudd.count_nodes([f.node for f in results]) - 1,
        "counts": [math.log2(max(d.bdd.count(f.node, variables), 0.5)) for f in results],
        "variables": variables,
        "calls": d.calls,
        "reorderings": statistics["n_reorderings"],
        "seconds_reordering": statistics["reordering_time"],
        "peak_nodes": statistics["peak_nodes"],
    }
    print(json.dumps(report))


if __name__ == "__main__":
    main()

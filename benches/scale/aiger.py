"""Liveness as safety, on AIGER files: a run that repeats for ever is one that comes back.

The translation of [BAS02] (docs/references.md): an input guesses the state in which the
loop begins, copies of the latches keep it, and the run is bad when that state is there again and
every justice and fairness signal has held since. So a safety checker answers the question that
respin answers directly.
"""


class Aiger:
    """An AIGER 1.9 file: literals of everything, and the gates in order."""

    def __init__(self, data):
        self.data, self.position = data, 0
        header = [int(word) for word in self.line().split()[1:]] + [0] * 9
        self.maximum, inputs, latches, outputs, gates, bad, constraints, justice, fair = header[:9]
        self.inputs = inputs
        self.next = [int(self.line().split()[0]) for _ in range(latches)]
        self.outputs = self.literals(outputs)
        self.bad, self.constraints = self.literals(bad), self.literals(constraints)
        sizes = self.literals(justice)
        self.justice = [self.literals(size) for size in sizes]
        self.fairness = self.literals(fair)
        self.gates = []
        for index in range(gates):
            left = 2 * (inputs + latches + 1 + index) - self.difference()
            self.gates.append((left, left - self.difference()))

    def line(self):
        end = self.data.index(b"\n", self.position)
        text, self.position = self.data[self.position : end], end + 1
        return text

    def literals(self, count):
        return [int(self.line()) for _ in range(count)]

    def difference(self):
        value = shift = 0
        while True:
            byte = self.data[self.position]
            self.position += 1
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7


def without_outputs(data):
    """The file without its outputs: ABC would take them for bad signals, too."""
    header = data.split(b"\n", 1)[0].split()
    latches, outputs = int(header[3]), int(header[4])
    parts = data.split(b"\n", 1 + latches + outputs)
    first = b" ".join([*header[:4], b"0", *header[5:]])
    return b"\n".join([first, *parts[1 : 1 + latches], parts[-1]])


def encoded(value):
    data = bytearray()
    while value >= 128:
        data.append(value & 127 | 128)
        value >>= 7
    return bytes(data + bytes([value]))


def liveness_to_safety(data):
    """The file, with one bad signal for each justice property. All latches start with 0."""
    old = Aiger(data)
    latches, signals = len(old.next), len(old.fairness) + sum(map(len, old.justice))
    inputs = old.inputs + 1
    # Inputs, the guess, latches, their copies, whether the guess was made, what held since.
    first_latch = inputs + 1
    total = 2 * latches + 1 + signals
    first_gate = first_latch + total
    moved = lambda literal: literal if literal < 2 * (old.inputs + 1) else (
        literal + 2 if literal < 2 * (old.inputs + 1 + latches)
        else literal + 2 * (1 + total - latches)
    )
    gates = [(moved(left), moved(right)) for left, right in old.gates]

    def both(left, right):
        left, right = max(left, right), min(left, right)
        gates.append((left, right))
        return 2 * (first_gate + len(gates) - 1)

    either = lambda left, right: both(left ^ 1, right ^ 1) ^ 1
    select = lambda condition, yes, no: either(both(condition, yes), both(condition ^ 1, no))

    guess = 2 * inputs
    state = [2 * (first_latch + index) for index in range(latches)]
    copy = [literal + 2 * latches for literal in state]
    saved = 2 * (first_latch + 2 * latches)
    seen = [saved + 2 * (index + 1) for index in range(signals)]
    save = both(guess, saved ^ 1)
    looping = either(save, saved)
    next_copy = [select(save, now, before) for now, before in zip(state, copy)]

    same = saved
    for now, before in zip(state, copy):
        same = both(same, either(both(now, before), both(now ^ 1, before ^ 1)))
    held = [moved(literal) for literal in old.fairness + sum(old.justice, [])]
    next_seen = [either(before, both(looping, now)) for before, now in zip(seen, held)]
    bad, start = [], len(old.fairness)
    for conditions in old.justice:
        literal = same
        for index in [*range(len(old.fairness)), *range(start, start + len(conditions))]:
            literal = both(literal, seen[index])
        start += len(conditions)
        bad.append(literal)

    constraints = [moved(literal) for literal in old.constraints]
    next_state = [moved(literal) for literal in old.next] + next_copy + [looping] + next_seen
    header = [first_gate + len(gates) - 1, inputs, total, 0, len(gates), len(bad), len(constraints)]
    text = "aig " + " ".join(map(str, header)) + "\n"
    text += "".join(f"{literal}\n" for literal in next_state + bad + constraints)
    body = bytearray()
    for index, (left, right) in enumerate(gates):
        left, right = max(left, right), min(left, right)
        body += encoded(2 * (first_gate + index) - left) + encoded(left - right)
    return text.encode() + bytes(body)

"""Tables and figures of tests/benchmark/growth: what a scan costs, beside the linear law."""
from support import plots
from support.scaling import table

QUANTITIES = {"seconds": "wall_s", "memory": "booked_bytes"}


def work(row):
    return row["matrix"] ** 3 * row["coils"]


def courses(record):
    """Rows of each device and prior, least work first."""
    found = {}
    for row in sorted(record["results"], key=work):
        found.setdefault((row["device"], row["prior"]), []).append(row)
    return found


def solved(matrix, right):
    """The solution of a small system with a positive definite matrix, by elimination."""
    rows = [[*row, value] for row, value in zip(matrix, right)]
    for i, pivot in enumerate(rows):
        for other in rows:
            if other is not pivot:
                factor = other[i] / pivot[i]
                other[:] = [o - factor * p for o, p in zip(other, pivot)]
    return [row[-1] / row[i] for i, row in enumerate(rows)]


def terms_of(row):
    return [1, row["matrix"] ** 3 * 1e-6, work(row) * 1e-6]


def law(rows, quantity):
    """a + 1e-6 voxels (b + c coils), none of them below 0, fitted to relative differences: (function of a row, [a, b, c])."""
    kept = [0, 1, 2]
    while True:
        scaled = [[terms_of(row)[i] / row[quantity] for i in kept] for row in rows]
        found = solved([[sum(r[i] * r[j] for r in scaled) for j in range(len(kept))] for i in range(len(kept))],
                       [sum(r[i] for r in scaled) for i in range(len(kept))])
        if min(found) >= 0:
            break
        del kept[found.index(min(found))]
    factors = [found[kept.index(i)] if i in kept else 0 for i in range(3)]
    return lambda row: sum(f * t for f, t in zip(factors, terms_of(row))), factors


def growth_table(record):
    rows = []
    for (device, prior), course in courses(record).items():
        (seconds, _), (memory, _) = law(course, "wall_s"), law(course, "booked_bytes")
        rows += [[device, prior, f"{row['matrix']}^3", str(row["coils"]), f"{row['wall_s']:.3g}", f"{row['processor_s']:.3g}", f"{row['wall_s'] / seconds(row):.2f}",
                  f"{row['booked_bytes'] / 2**20:.4g}", f"{row['booked_bytes'] / memory(row):.2f}", f"{row['resident_bytes'] / 2**20:.4g}", str(row["iterations"])]
                 for row in course]
    return table(["device", "prior", "matrix", "coils", "s", "processor s", "s / law", "booked MiB", "booked / law", "resident MiB", "iterations"], rows)


def laws_table(record):
    rows = []
    for (device, prior), course in courses(record).items():
        for what, quantity, unit, scale in (("seconds", "wall_s", "s", 1), ("memory", "booked_bytes", "MiB", 2**20)):
            rows.append([device, prior, what, *(f"{factor / scale:.3g} {unit}" for factor in law(course, quantity)[1])])
    return table(["device", "prior", "", "a", "b, a million voxels", "c, a million voxels and coil"], rows)


def growth_figure(record, what):
    quantity = QUANTITIES[what]
    named = {}
    for (device, prior), course in courses(record).items():
        for coils in sorted({row["coils"] for row in course}):
            points = [(work(row), row[quantity]) for row in course if row["coils"] == coils]
            if prior == "scan" and len(points) > 1:
                named[f"{device}, {coils} coil{'s' if coils > 1 else ''}"] = points
                named[f"law, {coils} coil{'s' if coils > 1 else ''}"] = [(work(row), law(course, quantity)[0](row)) for row in course if row["coils"] == coils]
    title = {"seconds": "Whole command, default prior: seconds", "memory": "Whole command, default prior: booked bytes"}[what]
    return plots.lines(title, "voxels x coils", {"seconds": "s", "memory": "bytes"}[what], named)

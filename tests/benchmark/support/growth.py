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


def law(rows, quantity):
    """a + b work through the least and the most work; as much for each voxel of a coil, however many there are."""
    first, last = rows[0], rows[-1]
    slope = (last[quantity] - first[quantity]) / (work(last) - work(first))
    return lambda row: first[quantity] + slope * (work(row) - work(first))


def growth_table(record):
    rows = []
    for (device, prior), course in courses(record).items():
        seconds, memory = law(course, "wall_s"), law(course, "booked_bytes")
        rows += [[device, prior, f"{row['matrix']}^3", row["coils"], f"{row['wall_s']:.3g}", f"{row['processor_s']:.3g}", f"{row['wall_s'] / seconds(row):.2f}",
                  f"{row['booked_bytes'] / 2**20:.4g}", f"{row['booked_bytes'] / memory(row):.2f}", f"{row['resident_bytes'] / 2**20:.4g}", row["iterations"]]
                 for row in course]
    return table(["device", "prior", "matrix", "coils", "s", "processor s", "s / law", "booked MiB", "booked / law", "resident MiB", "iterations"], rows)


def growth_figure(record, what):
    quantity = QUANTITIES[what]
    named = {}
    for (device, prior), course in courses(record).items():
        for coils in sorted({row["coils"] for row in course}):
            points = [(work(row), row[quantity]) for row in course if row["coils"] == coils]
            if prior == "scan" and len(points) > 1:
                named[f"{device}, {coils} coil{'s' if coils > 1 else ''}"] = points
        if prior == "scan":
            named[f"{device}, law"] = [(work(row), law(course, quantity)(row)) for row in course]
    title = {"seconds": "Whole command, default prior: seconds", "memory": "Whole command, default prior: booked bytes"}[what]
    return plots.lines(title, "voxels x coils", {"seconds": "s", "memory": "bytes"}[what], named)

"""The model of time of docs/scaling.md, and its tables."""
import math

# Parts of a command in the records of tests/benchmark/mpi_scaling; what is over is `other`.
STAGES = ["read", "coil_maps", "q", "fhd", "cg", "data_residual", "write"]
DIVIDED = ["read", "q", "fhd", "cg", "data_residual"]
PARTS = ["launch", *STAGES]


def table(head, rows):
    return "\n".join(["| " + " | ".join(head) + " |", "|" + "---|" * len(head), *("| " + " | ".join(row) + " |" for row in rows)])


def number(value):
    return f"{value:.3g}"


def percent(share):
    return f"{100 * share:.1f} %"


def lost_table(record):
    """Where the efficiency goes: of N ranks' time, in each part, what is beyond the time of one rank."""
    one = record["rows"][0]
    rows = []
    for row in record["rows"][1:]:
        n, all_time = row["ranks"], row["ranks"] * row["seconds"]
        lost = [(n * row[part] - one[part]) / all_time for part in PARTS]
        other = 1 - row["efficiency"] - sum(lost)
        iterations = [row["of cg"], row["apart"]] if "apart" in row else []
        rows.append([str(n), number(row["seconds"]), percent(row["efficiency"]), *map(percent, [*lost, other, row["waited"] / row["seconds"], *iterations])])
    head = ["ranks", "s", "efficiency", *(f"lost: {part.replace('_', ' ')}" for part in PARTS), "lost: other", "of all: waiting"]
    return table([*head, "iterations", "apart"] if "apart" in record["rows"][1] else head, rows)


def seconds_of_sum(messages, ranks, complex_numbers):
    """By the two longest sums of that many ranks in the record cpu-mpi-messages, as a line."""
    row = next(row for row in messages["rows"] if row["ranks"] == ranks)
    (n1, t1), (n2, t2) = [(int(key.split()[2]), 1e-3 * row[key]) for key in row if key.startswith("sum of")][-2:]
    return t1 + (t2 - t1) * (complex_numbers - n1) / (n2 - n1)


def seconds_of_direct_sum(ranks, complex_numbers, latency_s, bytes_per_s):
    """As every rank sends each other its part, adds up, and sends each other the sums."""
    return 2 * (ranks - 1) * (latency_s + 8 * complex_numbers / ranks / bytes_per_s)


def parts_of_one(one):
    """Of the time of one rank, beside the launcher's: what every rank of several repeats, and what they divide."""
    other = one["seconds"] - sum(one[part] for part in PARTS)
    return other + sum(one[stage] for stage in STAGES if stage not in DIVIDED), sum(one[stage] for stage in DIVIDED)


def images_summed(iterations):
    """One an iteration and for F^H d, and half of Q on the doubled grid, in double: eight images."""
    return iterations + 9


def link_of_hosts(row):
    added = f", {row['added ms']:g} ms" if row["added ms"] > 0 else ""
    return f"{row['link Gbit/s']:g} Gbit/s{added}"


def two_hosts_messages_table(record):
    rows = []
    for row in record["rows"]:
        names = [key.removesuffix(" ms") for key in row if key.endswith(" ms") and f"{key[:-3]}, model ms" in row]
        rows.append([link_of_hosts(row), number(row["latency us"]), number(row["one way MB/s"]), number(row["both ways MB/s"]),
                     *(f"{number(row[name + ' ms'])} ({number(row[name + ', model ms'])})" for name in names)])
    return table(["link", "TCP: latency us", "one way MB/s", "both ways at once MB/s, each", *(f"{name}, ms (model)" for name in names)], rows)


def two_hosts_table(record):
    """The command on two hosts, foretold from that on one and from the link alone."""
    rows = []
    for row in record["rows"]:
        one, two = row["one host"], row["two hosts"]
        repeated, divided = parts_of_one(one)
        sums = images_summed(record["iterations"]) * seconds_of_direct_sum(2, record["matrix"] ** 3, 1e-6 * row["latency us"], 1e6 * row["both ways MB/s"])
        foretold = two["launch"] + repeated + divided / 2 + sums
        rows.append([link_of_hosts(row), *map(number, [one["seconds"], row["two ranks"]["seconds"], two["seconds"], foretold, two["launch"], repeated,
                     divided / 2, sums]), f"{100 * (foretold / two['seconds'] - 1):+.0f} %", f"{row['image differs by']:.1e}"])
    return table(["link", "one host s", "two ranks on it s", "two hosts s", "model s", "of it launch", "repeated", "divided", "sums", "model - measured",
                  "image differs from one host's by"], rows)


def model_table(record, messages):
    """The time of N ranks, foretold from that of one and from the messages alone."""
    one = record["rows"][0]
    repeated, divided = parts_of_one(one)
    rows = []
    for row in record["rows"]:
        n = row["ranks"]
        frames = record.get("frames")
        share = math.ceil(frames / n) / frames if frames else 1 / n
        sums = 0 if n == 1 or frames else seconds_of_sum(messages, n, images_summed(record["iterations"]) * record["matrix"] ** 3)
        foretold = row["launch"] + repeated + share * divided + sums
        rows.append([str(n), number(row["seconds"]), number(foretold), *map(number, [row["launch"], repeated, share * divided, sums]),
                     f"{100 * (foretold / row['seconds'] - 1):+.0f} %"])
    return table(["ranks", "measured s", "model s", "of it launch", "repeated", "divided", "sums", "model - measured"], rows)


def heart_ranks_table(record):
    cells = {}
    for row in record["rows"]:
        messages = row["messages"] or "halo 1"
        cells.setdefault((row["scaling"], row["ranks"], row["geometry"], row["size"]), {})[messages] = row
    rows = []
    for (scaling, ranks, geometry, size), by in cells.items():
        efficiency = [percent(by[name]["efficiency"]) if name in by else "" for name in ("halo 1", "halo 8", "no communication")]
        rows.append([scaling, str(ranks), geometry, f"{size}^2", f"{max(row['GFLOP/s'] for name, row in by.items() if name != 'no communication'):.0f}",
                     *efficiency])
    return table(["scaling", "ranks", "geometry", "cells", "GFLOP/s, the better halo", "efficiency, halo 1", "halo 8", "without messages"], rows)


# Not measured: what the prediction for many hosts takes for granted.
BETWEEN_HOSTS_BYTES_PER_S = 45e9    # of a GPU: a port of 400 Gbit/s, nine tenths of it
LATENCY_S = 5e-6                    # of a message between hosts
READ_HOST_BYTES_PER_S = 5e9         # of a host of eight GPUs: what one process has read at (h200-commands-256)
READ_ALL_BYTES_PER_S = 50e9         # of the file system
GPUS_OF_HOST = 8
SCANS = [("256^3, 64 coils", 256, 64, 1), ("512^3, 32 coils", 512, 32, 1), ("320^3, 32 coils, 500 frames", 320, 32, 500)]


class GpuModel:
    """Fitted to the record h200-several-gpus: one H200 and two, 30 iterations; four are left to judge it by."""

    def __init__(self, record):
        one, two, self.four = record["rows"][:3]
        self.voxels = math.prod(int(n) for n in record["matrix"].split(" x "))
        self.coils, self.iterations = record["coils"], record["iterations"]
        self.samples_a_voxel = record["samples"] / self.voxels
        halves = 1e-3 * (one["cg_iteration_ms"] - (two["cg_iteration_ms"] - two["all_reduce_ms"]))
        self.coil_s = halves / (self.coils / 2)                                        # of one coil in one iteration
        self.rest_s = 1e-3 * one["cg_iteration_ms"] - self.coils * self.coil_s         # of what every rank does with images
        stages = one["stage_s"]
        self.sums_s = stages["fhd"] + stages["data_residual"] + stages["q"]            # shared out by coils or samples
        self.alone_s = one["total_s"] - sum(stages.values()) + stages["coil_maps"]
        n = self.four["gpus"]
        self.in_host_bytes_per_s = 2 * 8 * self.voxels * (n - 1) / n / (1e-3 * self.four["all_reduce_ms"])

    def iteration(self, size, coils, ranks, sum_s):
        scale = size / self.voxels
        return scale * (math.ceil(coils / ranks) * self.coil_s + self.rest_s) + sum_s

    def seconds(self, matrix, coils, frames, gpus):
        """@return seconds by cause"""
        size = matrix ** 3
        scale = size / self.voxels
        ranks = 1 if frames > 1 else gpus                          # that share a frame
        share = math.ceil(frames / gpus) if frames > 1 else 1      # frames of a rank
        bytes_per_s = self.in_host_bytes_per_s if gpus <= GPUS_OF_HOST else BETWEEN_HOSTS_BYTES_PER_S
        sum_s = 2 * (ranks - 1) * (8 * size / ranks / bytes_per_s + LATENCY_S)
        bytes_of_scan = 8 * coils * frames * self.samples_a_voxel * size
        hosts = max(1, gpus // GPUS_OF_HOST)
        iterations = share * self.iterations
        return {"reading": bytes_of_scan / min(hosts * READ_HOST_BYTES_PER_S, READ_ALL_BYTES_PER_S),
                "coils": iterations * scale * math.ceil(coils / ranks) * self.coil_s + share * scale * self.sums_s * (coils / self.coils) / ranks,
                "images": iterations * scale * self.rest_s + share * scale * self.alone_s,
                "sums": iterations * sum_s}


def prediction_table(record):
    model = GpuModel(record)
    rows = []
    for title, matrix, coils, frames in SCANS:
        of_eight = None
        for gpus in (8, 16, 32, 64, 128, 256, 512, 1024):
            parts = model.seconds(matrix, coils, frames, gpus)
            total = sum(parts.values())
            of_eight = of_eight or 8 * total
            rows.append([title, str(gpus), number(total), *map(number, parts.values()), percent(of_eight / gpus / total), max(parts, key=parts.get)])
            title = ""
    return table(["scan", "GPUs", "s", "reading", "coils", "images", "sums", "efficiency, of eight GPUs", "most goes to"], rows)


def prediction_check_table(record):
    model = GpuModel(record)
    four = model.four
    foretold = 1e3 * model.iteration(model.voxels, model.coils, four["gpus"], 1e-3 * four["all_reduce_ms"])
    return table(["GPUs", "an iteration, measured ms", "model ms"],
                 [[str(four["gpus"]), number(four["cg_iteration_ms"]), number(foretold)]])

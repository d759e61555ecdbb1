"""What a job's device says: of which kind, how many, and how much of a batch falls to each."""


def parts(device):
    """Return kind and number: ("cuda", 2) of "cuda:2", ("cpu", 1) of "cpu"."""
    kind, _, count = device.partition(":")
    return kind, int(count or 1)


def kind(job):
    """Return the kind of a job's device: "cpu" or "cuda"."""
    return parts(job["device"])[0]


def batch_size(job):
    """Return the images of a batch that each device trains on; the job's own are of all of them."""
    return job["batch_size"] // parts(job["device"])[1]


def threads(job):
    """Return the threads of each device, where each has a process of its own: at least one."""
    return max(1, job["threads"] // parts(job["device"])[1])


def rows(size, rank, count):
    """Return which of a batch's images, a slice, fall to one of several devices, in their order.

    A batch of fewer images than devices leaves some with none.
    """
    return slice(size * rank // count, size * (rank + 1) // count)

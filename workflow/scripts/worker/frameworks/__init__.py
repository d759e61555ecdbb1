"""One folder per framework, with the same names in each: what builds, trains and evaluates in it.

    adapter.py  the class Adapter (below)
    layers.py   every kind of layer of the neutral network, in that framework's words
    reader.py   what its own input pipeline makes of the stored images, where it has one
    devices.py  how it trains on several devices, where it does

At the top of adapter.py stand, as literals that the host reads without importing the file:

    TITLE   the framework's name in tables and figures
    FORMAT  the storage format that it reads, a file of trainmark/data/formats
    COLOUR  its colour in every figure
    SEVERAL  the kinds of devices of which it trains on more than one, where there are any
    RANKS    True where each of several devices has a process of its own: then the class AllDevices
             in devices.py takes the place of Adapter
    ENVIRONMENT  that of another framework, where it trains that one by another road; its folder may
             then import that one's

The class Adapter never reads a clock:

    __init__(job)          set threads, device and the seed of dropout; raises events.Unsupported,
                           with the reason, where the device, the precision or an option can't be
                           had
    build(network)         make the graph from network.Network, in place of an earlier one
    load(weights)          take weights (name -> float32 array, neutral layout); forget momentum
    weights()              give the weights as they are now, named and laid out like load's
    batch(images, labels)  a native batch on the device, from normalised float32 (n, C, H, W) and
                           int64 (n,)
    batches(split)         native batches from the job's data set in FORMAT, decoded ahead the way
                           the framework's experts do it; "train": full batches, epoch after epoch
                           without end, "test": every image once
    train_step(batch)      one step of SGD; returns the loss, the mean cross entropy before the
                           update, as something float() takes; may return before it is computed
    predict(batch)         evaluation mode: numpy logits float32 (n, classes), labels int64 (n,)
    synchronise()          wait until the device has done all that was asked
    describe()             the environment event: framework, version, threads, libraries, flags,
                           devices (a text each), device_batch_size (images each trains on)

On several devices each trains on its part of a batch, devices.rows() or what its own reader makes
it; batch norm takes the part's statistics. train_step gives the loss of the whole batch, predict
the logits of all its images, and weights the running statistics of one device or their mean.

A framework whose own program trains, and logs in its own dialect, has one more method, which stands
in for the runner's loop over warm-up and window:

    train(warmup_steps, steps)
                           call dialect.announce(), let the program train for that many steps from
                           the weights as they are, print its log as it is, and take over the
                           weights it ends with; where it fails, end as it did

The update, on every trainable tensor: g += weight_decay * w; v = momentum * v + g;
w -= learning_rate * v. Batch norm: epsilon 1e-5, running = 0.9 * running + 0.1 * batch, the running
variance from the unbiased batch variance n / (n - 1).
"""

import importlib


def find(job):
    """The class that makes the adapter of a job's framework for the job's devices."""
    folder = "worker.frameworks." + job.adapter
    adapter = importlib.import_module(folder + ".adapter")
    if job.device_count > 1 and getattr(adapter, "RANKS", False):
        return importlib.import_module(folder + ".devices").AllDevices
    return adapter.Adapter

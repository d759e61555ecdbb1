"""One file per framework: the adapter that builds, trains and evaluates a network in it.

At its top stand, as literals that the host reads without importing the file:

    TITLE   the framework's name in tables and figures
    FORMAT  the storage format that it reads, a file of trainmark/data/formats
    COLOUR  its colour in every figure
    SEVERAL  the kinds of devices of which it trains on more than one, where there are any
    ENVIRONMENT  that of another adapter, where it shares that one's (a study names it as well)

and the class Adapter, or a function that chooses one; it never reads a clock and leaves the layers
to worker/layers:

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

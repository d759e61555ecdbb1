"""Of docs/studies/language.md."""

from archive_numbers import Mean, Only, Range, Ratio, Sentence, Source

LANGUAGE = "language/2026-11-26-amd-epyc-2-cores"
GENERATE = "generate/2026-11-27-amd-epyc-2-cores"
DECODER = Source(LANGUAGE, "gpt2_mini-128", "token_speed")
LSTM = Source(LANGUAGE, "char_lstm-64", "token_speed")
PRODUCTS = Source(LANGUAGE, "matrix_products", "achieved_gflops")
SINGLE = Source(GENERATE, "gpt2_mini-64-64", "generation_speed", 1)
BATCH = Source(GENERATE, "gpt2_mini-64-64", "generation_speed", 16)
LONG = Source(GENERATE, "gpt2_mini-448-64", "generation_speed", 16)
SINGLE_LSTM = Source(GENERATE, "char_lstm-64-64", "generation_speed", 1)

SENTENCES: list[Sentence] = [
    (
        "studies/language.md",
        "PyTorch has the highest mean** in the decoder at each length ({} tokens/s at 128",
        [Mean(DECODER, "pytorch")],
    ),
    (
        "studies/language.md",
        "best matrix multiplication (MXNet's {} GFLOP/s)",
        [Only(PRODUCTS, "mxnet")],
    ),
    (
        "studies/language.md",
        "PyTorch {}, MXNet {}, Caffe2 {}, JAX {}, Caffe {}, TensorFlow {}, CNTK {}, Theano {};",
        [
            Only(LSTM, name, unit=1000)
            for name in (
                *("pytorch", "mxnet", "caffe2", "jax"),
                *("caffe", "tensorflow", "cntk", "theano"),
            )
        ],
    ),
    (
        "studies/language.md",
        "{} tokens/s of the decoder, {} times PyTorch's and {} times MXNet's; {} times",
        [
            Mean(SINGLE, "jax"),
            Ratio(SINGLE, "jax", "pytorch", ".1f"),
            Ratio(SINGLE, "jax", "mxnet", ".1f"),
            Ratio(SINGLE_LSTM, "jax", "pytorch", ".1f"),
        ],
    ),
    (
        "studies/language.md",
        "{} and {} tokens/s, TensorFlow {}, MXNet {}.",
        [Mean(BATCH, name) for name in ("jax", "pytorch", "tensorflow", "mxnet")],
    ),
    (
        "studies/language.md",
        "the first token of a text takes {} ms instead of {};",
        [
            Range(Source(GENERATE, case, "time_to_first_token", 1))
            for case in ("gpt2_mini-448-64", "gpt2_mini-64-64")
        ],
    ),
    (
        "studies/language.md",
        "batches get {} (JAX), {} (PyTorch), {} (TensorFlow) and {} (MXNet) tokens/s",
        [Mean(LONG, name) for name in ("jax", "pytorch", "tensorflow", "mxnet")],
    ),
]

"""Sentences of documents with numbers of kept archives; tests/contract/test_sentences.py."""

"""Answering questions: computed over the typed records, recalled from the log, or said to be unknown.

words, periods, question, intent    the English: what is asked, before it is about anything
view, places, world                 what can be asked about: collections, fields, values, people
reader, scene, conditions, clock, wanted, patterns    reading a question as a plan over one collection
plan, code                          a plan, and the Python that answers it
say, recall, showing, consult, asking   the answer: in words, from the log, by a model (what it is shown), and which
"""

from uac_nb.ask.answer import Answer
from uac_nb.ask.asking import ask

__all__ = ["Answer", "ask"]

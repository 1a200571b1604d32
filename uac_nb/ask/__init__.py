"""Answering questions: computed over the typed records, recalled from the log, or said to be unknown.

asking     read first: `ask` tries what is below in order, and says what an answer leaves out
words      the English of questions as data; days, amounts, places and relations come from `uac_nb.english`
table      what can be asked about: collections, fields, values in use, people; indexed once for each state
scan, bind the words of a question as items, and these bound to a `Query`; every word is used, or it is not understood
query      a question as plain data; `evaluate` runs it to yes, no or maybe, `render` writes it as Python
people     who somebody is, ages, countdowns, where one was, what is on, derived values
recall     answers in the log's own words, and in those of notes
leftout    what nobody read yet, what waits for a review, what was changed later
answer     what a question gets back, in words
consult    asking through a model
"""

from uac_nb.ask.answer import Answer
from uac_nb.ask.asking import ask

__all__ = ["Answer", "ask"]

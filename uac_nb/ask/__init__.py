"""Answering questions: computed over the typed records, recalled from the log, or said to be unknown.

words, phrasing, periods, question, intent   the English: what is asked, before it is about anything
view, places, world                  what can be asked about: collections, fields, values, people
reader, scene, conditions, clock, wanted, patterns   reading a question as a plan over one collection
plan, code, one                      a plan, the Python that answers it, and that answer
spending, agenda, people, things, portrait, avoiding, ages, countdown, contacts, returning   each a kind of question of its own
derived, told, changed, whereabouts  more of these: what functions compute, what was told by then, who was where
myself, about                        the user by name, and of whom words speak
said, recall, noted                  answers in the log's own words, and in those of notes
pending, ending                      what an answer leaves out, since nobody read it, or it waits for a review; bare endings
say, showing, consult, asked, asking   the answer: in words, by a model (what it is shown), and which of all these
"""

from uac_nb.ask.answer import Answer
from uac_nb.ask.asking import ask

__all__ = ["Answer", "ask"]

"""The model, as the rest of us sees it: one call that answers, and stand-ins that tests and demos run on.

Nothing here reads what the answer says (`replies` does), and no key leaves this folder: not in an error, a name or a recording.
"""

from uac_nb.model.endpoint import OpenAIModel
from uac_nb.model.fake import FakeModel
from uac_nb.model.meter import CapReached, Cost, Estimate, Meter, Price, cost
from uac_nb.model.port import Message, Model, Reply, Request
from uac_nb.model.recorded import RecordedModel, Recorder

__all__ = [
    "CapReached",
    "Cost",
    "Estimate",
    "FakeModel",
    "Message",
    "Meter",
    "Model",
    "OpenAIModel",
    "Price",
    "RecordedModel",
    "Recorder",
    "Reply",
    "Request",
    "cost",
]

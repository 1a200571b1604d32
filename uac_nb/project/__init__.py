"""The project in git: a commit a batch, the files of the newest one in the folder."""

from uac_nb.project.folder import Project
from uac_nb.project.repository import Commit, Stamp

__all__ = ["Commit", "Project", "Stamp"]

"""The starter rules: each speaks of what is ahead or running, and only where the records are sure; else it says "may"."""

from uac_nb.rules import RuleFunction
from uac_nb.starter.rules.charges import (
    charge_on_unusable_card,
    payment_from_closed_account,
    payments_exceed_balance,
    trial_ends,
    unwanted_subscription_renews,
)
from uac_nb.starter.rules.concerns import concern_stands
from uac_nb.starter.rules.health import (
    medicine_against_allergy,
    medicine_runs_out,
    plan_against_allergy,
    plan_breaks_resolution,
)
from uac_nb.starter.rules.limits import investment_above_risk_limit, spending_over_budget
from uac_nb.starter.rules.people import errand_not_authorised, more_people_than_room
from uac_nb.starter.rules.premises import rests_on_what_is_gone
from uac_nb.starter.rules.purchases import return_window_closing, warranty_ends_with_problem
from uac_nb.starter.rules.schedule import (
    away_during_commitment,
    commitments_overlap,
    deadline_near,
    deadline_while_away,
    promise_due,
)
from uac_nb.starter.rules.travel import (
    passport_lost_before_trip,
    passport_too_short_for_trip,
    stay_longer_than_visa_allows,
    trip_outside_visa_window,
    trips_overlap,
    visa_entries_used_up,
    visa_refused_for_trip,
    visa_still_pending,
)
from uac_nb.starter.rules.vehicles import lease_distance_exceeded, vehicle_paper_runs_out

RULES: tuple[RuleFunction, ...] = (
    medicine_against_allergy,
    medicine_runs_out,
    plan_against_allergy,
    plan_breaks_resolution,
    trip_outside_visa_window,
    visa_entries_used_up,
    stay_longer_than_visa_allows,
    visa_refused_for_trip,
    visa_still_pending,
    passport_too_short_for_trip,
    passport_lost_before_trip,
    trips_overlap,
    commitments_overlap,
    away_during_commitment,
    deadline_near,
    deadline_while_away,
    promise_due,
    return_window_closing,
    warranty_ends_with_problem,
    payment_from_closed_account,
    charge_on_unusable_card,
    payments_exceed_balance,
    trial_ends,
    unwanted_subscription_renews,
    investment_above_risk_limit,
    spending_over_budget,
    vehicle_paper_runs_out,
    lease_distance_exceeded,
    more_people_than_room,
    errand_not_authorised,
    rests_on_what_is_gone,
    concern_stands,
)

__all__ = ["RULES"]

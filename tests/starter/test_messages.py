"""What the starter rules say, word by word, read and approved by a person. The records are those of `test_starter_rules`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, time
from pathlib import Path
from runpy import run_path
from types import SimpleNamespace
from typing import Any

import pytest

from uac_nb.rules import RuleFunction, run
from uac_nb.starter import rules as r

# Test modules cannot import each other.
k = SimpleNamespace(**run_path(str(Path(__file__).with_name("test_rules.py"))))
but, w = k.but, k.w


def says(message: str, hint: str, rule: RuleFunction, *, today: str = "2025-06-02", **collections: Sequence[Any]) -> Any:
    return pytest.param(rule, today, collections, message, hint, id=f"{rule.__name__}: {hint[:30]}")


DELHI = "your trip to Delhi (Tuesday, June 10, 2025 to Friday, June 20, 2025; booked)"
DENTIST = "your dentist (Thursday, June 12, 2025, 10:00 AM to 11:00 AM)"

MESSAGES = [
    says(
        "Conflict: your trip to Delhi (Saturday, May 31, 2025 to Friday, June 20, 2025; booked) starts 1 day before "
        "your Indian visa (valid from Sunday, June 1, 2025 through Wednesday, July 30, 2025; granted). The visa would "
        "not be valid yet on Saturday, May 31, 2025.",
        "Arrive in Delhi on Sunday, June 1, 2025 or later, or ask for an earlier visa, before booking.",
        r.trip_outside_visa_window,
        trips=[but(k.delhi, departs=w("2025-05-31"))],
        visas=[k.india],
    ),
    says(
        "Conflict: your trip to Delhi (leaving Tuesday, June 10, 2025; considering) ends 3 days after your Indian visa "
        "(valid through Saturday, June 7, 2025; applied for on Thursday, May 1, 2025, not yet granted as far as "
        "recorded). The visa would no longer be valid on Tuesday, June 10, 2025.",
        "Leave Delhi by Saturday, June 7, 2025, or extend or renew the visa first.",
        r.trip_outside_visa_window,
        trips=[but(k.delhi, returns=None, status="considering")],
        visas=[but(k.india, valid_from=None, valid_until=w("2025-06-07"), status="applied", applied=w("2025-05-01"))],
    ),
    says(
        f"Conflict: {DELHI} needs an entry more than are left on your Indian visa (a single entry). Used already: your "
        "trip to Goa (Saturday, March 1, 2025 to Sunday, March 9, 2025).",
        "Apply for a new visa for Delhi before Tuesday, June 10, 2025.",
        r.visa_entries_used_up,
        trips=[k.delhi, k.goa],
        visas=[k.single],
    ),
    says(
        f"Conflict: {DELHI} needs an entry more than are left on your Indian visa (2 entries). Used already: your trip "
        "to Goa (Saturday, March 1, 2025 to Sunday, March 9, 2025) and 1 before.",
        "Apply for a new visa for Delhi before Tuesday, June 10, 2025.",
        r.visa_entries_used_up,
        trips=[k.delhi, k.goa],
        visas=[but(k.single, entries=2, entries_used=1)],
    ),
    says(
        f"Conflict: {DELHI} is 1 day longer than allowed by your Indian visa (at most 10 days a visit). The stay would "
        "be 11 days.",
        "Leave by Thursday, June 19, 2025, or ask for a longer stay first.",
        r.stay_longer_than_visa_allows,
        trips=[k.delhi],
        visas=[but(k.india, max_stay_days=10), but(k.india, id="2", max_stay_days=9)],
    ),
    says(
        f"Conflict: {DELHI} needs your Indian visa (refused; applied for on Thursday, May 1, 2025). No other visa for "
        "that country is recorded.",
        "Apply again, or put the trip off, before Tuesday, June 10, 2025.",
        r.visa_refused_for_trip,
        trips=[k.delhi],
        visas=[but(k.india, status="refused", applied=w("2025-05-01"))],
    ),
    says(
        "Running out: your Indian visa (not granted yet as far as recorded). Your trip to Delhi begins in 8 days, on "
        "Tuesday, June 10, 2025.",
        "Ask how far the application is, and say when it is granted.",
        r.visa_still_pending,
        trips=[k.delhi],
        visas=[but(k.india, status="applied")],
    ),
    says(
        f"Conflict: {DELHI} ends 1 day after your US passport (expires Thursday, June 19, 2025). The passport would not "
        "be valid for the whole trip.",
        "Renew it before Tuesday, June 10, 2025.",
        r.passport_too_short_for_trip,
        trips=[k.delhi],
        passports=[k.us],
    ),
    says(
        "Running out: your US passport (expires November 2025). That is less than the 6 months after your trip to Delhi "
        "(Friday, June 20, 2025) that many countries ask for.",
        "Check what Delhi asks for, and renew before Tuesday, June 10, 2025 if need be.",
        r.passport_too_short_for_trip,
        trips=[k.delhi],
        passports=[but(k.us, expires=w("2025-11"))],
    ),
    says(
        f"Conflict: {DELHI} ends 1 day after your passport (expires Thursday, June 19, 2025). The passport would not be valid "
        "for the whole trip. It matters if Delhi is not in the country that issued it, which was not said.",
        "Renew it before Tuesday, June 10, 2025.",
        r.passport_too_short_for_trip,
        trips=[k.delhi],
        passports=[but(k.us, title="passport", country=None)],
    ),
    says(
        "Conflict: your trip to Delhi (there on Saturday, May 31, 2025; booked) starts at least 1 day before your Indian visa "
        "(valid from Sunday, June 1, 2025 through Wednesday, July 30, 2025; granted). The visa would not be valid yet on "
        "Saturday, May 31, 2025.",
        "Arrive in Delhi on Sunday, June 1, 2025 or later, or ask for an earlier visa, before booking.",
        r.trip_outside_visa_window,
        today="2025-05-20",
        trips=[but(k.delhi, departs=None, returns=None, there_on=w("2025-05-31"))],
        visas=[k.india],
    ),
    says(
        f"Conflict: {DELHI} needs your US passport (lost as far as recorded).",
        "Apply for a new one, or for an emergency passport, before Tuesday, June 10, 2025.",
        r.passport_lost_before_trip,
        trips=[k.delhi],
        passports=[but(k.us, status="lost")],
    ),
    says(
        f"Conflict: {DELHI} overlaps with your trip to Rome (Wednesday, June 18, 2025 to Wednesday, June 25, 2025; "
        "booked). 3 days are in both, Wednesday, June 18, 2025 to Friday, June 20, 2025.",
        "Move or shorten one of the two.",
        r.trips_overlap,
        trips=[k.rome, k.delhi],
    ),
    says(
        f"Conflict: your call with Ana (Thursday, June 12, 2025 at 10:30 AM; tentative) overlaps with {DENTIST}. They "
        "begin 30 minutes apart on the same day, so one person cannot be at both. "
        'About your call with Ana you said: "it will take long".',
        "Move your call with Ana to another time; if it cannot move, decide which to give up before Thursday, June 12, 2025.",
        r.commitments_overlap,
        commitments=[k.dentist, but(k.call, ends=None, status="tentative", quote="it will take long.")],
    ),
    says(
        "Conflict: your call with Ana (Thursday, June 12, 2025, 10:30 AM to 11:30 AM) may overlap with your dentist "
        "(Thursday, June 12, 2025 at 10:00 AM). They begin 30 minutes apart on the same day, and nothing says when the first "
        "ends.",
        "Move your call with Ana to another time; if it cannot move, decide which to give up before Thursday, June 12, 2025.",
        r.commitments_overlap,
        commitments=[but(k.dentist, ends=None), k.call],
    ),
    says(
        f"Conflict: your call with Ana (Thursday, June 12, 2025, 10:00 AM to 11:30 AM) overlaps with {DENTIST}. They "
        "begin at the same time on the same day, so one person cannot be at both.",
        "Move your call with Ana to another time; if it cannot move, decide which to give up before Thursday, June 12, 2025.",
        r.commitments_overlap,
        commitments=[k.dentist, but(k.call, starts=time(10))],
    ),
    says(
        f"Conflict: {DENTIST} overlaps with your trade fair (Wednesday, June 11, 2025 to Friday, June 13, 2025). Both "
        "fall on Thursday, June 12, 2025, and your trade fair takes every day of Wednesday, June 11, 2025 to Friday, "
        "June 13, 2025 (call with Ana on Thursday, June 12, 2025).",
        "Move your dentist to another time; if it cannot move, decide which to give up before Thursday, June 12, 2025.",
        r.commitments_overlap,
        commitments=[
            k.fair,
            k.dentist,
            but(k.call, part_of="f"),
            but(k.call, id="c", title="party", on=w("2025-06-13"), part_of="f"),
        ],
    ),
    says(
        f"Conflict: {DENTIST} falls during {DELHI}. You would be away in Delhi on Thursday, June 12, 2025, and could not "
        "be there.",
        "Move your trip to Delhi, or reschedule your dentist.",
        r.away_during_commitment,
        commitments=[k.dentist],
        trips=[k.delhi],
    ),
    says(
        "Conflict: Ana's dentist (Thursday, June 12, 2025, 10:00 AM to 11:00 AM) falls during Ana's trip to Delhi "
        "(Tuesday, June 10, 2025 to Friday, June 20, 2025; considering). Ana would be away in Delhi on Thursday, June "
        "12, 2025, and could not be there.",
        "Before booking, move Ana's trip to Delhi, or reschedule Ana's dentist.",
        r.away_during_commitment,
        commitments=[but(k.dentist, who="ana")],
        trips=[but(k.delhi, who="ana", status="considering")],
    ),
    says(
        f"Conflict: {DENTIST} falls during {DELHI}. It needs someone at home, and you would be away in Delhi on "
        "Thursday, June 12, 2025.",
        "Ask for a day before Tuesday, June 10, 2025 or after Friday, June 20, 2025, or arrange for someone else to be there.",
        r.away_during_commitment,
        commitments=[but(k.dentist, presence="someone at home")],
        trips=[k.delhi],
    ),
    says(
        f"Conflict: your dentist (Tuesday, June 10, 2025, 10:00 AM to 11:00 AM) falls on a travel day of {DELHI}. On "
        "Tuesday, June 10, 2025 the trip begins.",
        "Check that Tuesday, June 10, 2025 leaves time for both.",
        r.away_during_commitment,
        commitments=[but(k.dentist, on=w("2025-06-10"))],
        trips=[k.delhi],
    ),
    says(
        f"Conflict: your dentist (Friday, June 20, 2025, 10:00 AM to 11:00 AM) falls on a travel day of {DELHI}. On "
        "Friday, June 20, 2025 the trip ends.",
        "Check that Friday, June 20, 2025 leaves time for both.",
        r.away_during_commitment,
        commitments=[but(k.dentist, on=w("2025-06-20"))],
        trips=[k.delhi],
    ),
    says(
        "Running out: your tax return (due Monday, June 2, 2025). Today is Monday, June 2, 2025: today is the last day. "
        "Otherwise: a fee of $50.",
        "Do it by Monday, June 2, 2025.",
        r.deadline_near,
        deadlines=[but(k.tax, due=w("2025-06-02"), consequence="a fee of $50")],
    ),
    says(
        "Running out: your tax return (due between May 29 and June 4, 2025). Today is Monday, June 2, 2025: it can be "
        "any day now.",
        "Do it by Monday, June 2, 2025.",
        r.deadline_near,
        deadlines=[but(k.tax, due=w("2025-05-29/2025-06-04"))],
    ),
    says(
        "Running out: your tax return (was due Monday, May 19, 2025). That is 14 days past, and nothing says that it was done.",
        "Do it now, or say that it is done.",
        r.deadline_near,
        deadlines=[but(k.tax, due=w("2025-05-19"))],
    ),
    says(
        f"Conflict: your tax return (due Sunday, June 15, 2025, in person) falls during {DELHI}. The last day at home "
        "before it is Monday, June 9, 2025.",
        "Do it before Tuesday, June 10, 2025.",
        r.deadline_while_away,
        deadlines=[but(k.tax, due=w("2025-06-15"), presence="user there")],
        trips=[k.delhi],
    ),
    says(
        "Running out: your help with the website (promised to Dana on Thursday, May 1, 2025; due Thursday, June 5, "
        "2025). Today is Monday, June 2, 2025: only 3 days left.",
        "Keep it, or tell them that it will be later.",
        r.promise_due,
        promises=[k.promise],
    ),
    says(
        "Running out: the return window for your coat from Zara ($90; bought on Thursday, May 8, 2025; 30-day return "
        "policy). It closes on Saturday, June 7, 2025: only 5 days left, counted from today, Monday, June 2, 2025. You "
        "meant to decide on Sunday, June 1, 2025.",
        "Return it to Zara by Saturday, June 7, 2025, or decide to keep it.",
        r.return_window_closing,
        purchases=[but(k.coat, decide_by=w("2025-06-01"))],
    ),
    says(
        "Running out: the return window for your coat (bought about Thursday, May 8, 2025; 30-day return policy). It "
        "closes on Saturday, May 31, 2025 at the earliest: today is the last day.",
        "Return it by Saturday, May 31, 2025, as you decided.",
        r.return_window_closing,
        today="2025-05-31",
        purchases=[but(k.coat, shop=None, price=None, bought=w("2025-05-08~"), decision="return", decide_by=w("2025-05-31"))],
    ),
    says(
        "Running out: the warranty of your phone (ends on Wednesday, July 2, 2025; bought on Thursday, June 20, 2024). "
        "Only 30 days left, and there is a problem: the screen flickers.",
        "Have it repaired or replaced by Apple by Wednesday, July 2, 2025.",
        r.warranty_ends_with_problem,
        purchases=[but(k.phone, shop="Apple")],
    ),
    says(
        "Conflict: your gym fee of $45 (autopay; next due on Monday, June 30, 2025) comes after the closing of your "
        "Chase checking account (planned on Friday, June 20, 2025). The automatic payment will fail.",
        "Move your gym fee to your Ally account before Monday, June 30, 2025.",
        r.payment_from_closed_account,
        payments=[k.gym],
        accounts=[k.chase, k.ally],
    ),
    says(
        "Conflict: your gym fee of $45 (manual; next due on Monday, June 30, 2025) comes after the closing of your "
        "Chase checking account (was planned between May 19 and 25, 2025, not confirmed). That account will be missing "
        "then. The one of Saturday, May 31, 2025 fell after the closing too, and may have failed.",
        "Check today whether that of Saturday, May 31, 2025 went through, and move your gym fee to another account "
        "before Monday, June 30, 2025.",
        r.payment_from_closed_account,
        payments=[but(k.gym, method="manual")],
        accounts=[but(k.chase, closes=w("2025-W21"))],
    ),
    says(
        "Conflict: your gym fee of $45 (autopay; next due on Monday, June 30, 2025) may come after the closing of your "
        "Chase checking account (closing as of Monday, June 2, 2025, no day recorded). The automatic payment may fail.",
        "Move your gym fee to another account before Monday, June 30, 2025.",
        r.payment_from_closed_account,
        payments=[k.gym],
        accounts=[but(k.chase, closes=None)],
    ),
    says(
        "Conflict: your Netflix subscription of $15 (renews by itself; next due on Tuesday, July 1, 2025) comes after "
        "the closing of your Chase checking account (closed on Tuesday, May 20, 2025). The automatic payment will fail.",
        "Move your Netflix subscription to another account before Tuesday, July 1, 2025.",
        r.payment_from_closed_account,
        subscriptions=[but(k.netflix, account="chase")],
        accounts=[but(k.chase, status="closed", closes=w("2025-05-20"))],
    ),
    says(
        "Conflict: your Netflix subscription of $15 (renews by itself; next due on Tuesday, July 1, 2025) comes after "
        "the end of your Visa card (expires in June 2025). The charge will fail.",
        "Put another card on your Netflix subscription before Tuesday, July 1, 2025.",
        r.charge_on_unusable_card,
        subscriptions=[k.netflix],
        cards=[k.visa_card],
    ),
    says(
        "Conflict: your Netflix subscription (renews by itself; next due on Tuesday, July 1, 2025) cannot be drawn on "
        "your Visa card (frozen as far as recorded). The charge will fail.",
        "Put another card on your Netflix subscription before Tuesday, July 1, 2025.",
        r.charge_on_unusable_card,
        subscriptions=[but(k.netflix, price=None)],
        cards=[but(k.visa_card, status="frozen")],
    ),
    says(
        "Over the limit: $120 due from your Chase checking account by Monday, June 9, 2025, which held $100 on Monday, "
        "May 19, 2025. $20 is missing for your gym fee ($60 on Monday, June 9, 2025) and your gym fee ($60 on Thursday, "
        "June 5, 2025).",
        "Move at least $20 into your Chase checking account before Thursday, June 5, 2025.",
        r.payments_exceed_balance,
        accounts=[k.chase],
        payments=[but(k.gym, day=9, amount=60 * k.gym.amount / 45), but(k.gym, id="2", day=5, amount=60 * k.gym.amount / 45)],
    ),
    says(
        "Running out: the free trial of your Netflix subscription (ends on Thursday, June 5, 2025; then $15 a month). "
        "Only 3 days left.",
        "Cancel by Thursday, June 5, 2025 if you do not want to pay $15 a month.",
        r.trial_ends,
        subscriptions=[but(k.netflix, trial_ends=w("2025-06-05"), intent="undecided")],
    ),
    says(
        "Running out: your Netflix subscription (you want to cancel it; renews on Monday, June 9, 2025 for $15). Only 7 "
        "days left.",
        "Cancel it before Monday, June 9, 2025.",
        r.unwanted_subscription_renews,
        subscriptions=[but(k.netflix, intent="cancel", renews=w("2025-06-09"))],
    ),
    says(
        "Conflict: $500 into your meme coin (high risk; considering since Monday, June 2, 2025) goes against your "
        'decision "nothing speculative before the house is paid" (since 2025; at most medium risk). Its risk is above '
        'the limit that you set. You said: "to the moon". Of the limit you said: "never again".',
        "Reconsider the $500 until you have decided whether that limit still holds.",
        r.investment_above_risk_limit,
        investments=[but(k.coin, quote="to the moon")],
        risk_limits=[but(k.calm, quote="never again")],
    ),
    says(
        "Over the limit: $201 in June 2025, against your eating-out budget of $200. $1 too much: your birthday dinner "
        "($150) and your brunch ($51).",
        "Put off or drop $1 of it, or raise the budget.",
        r.spending_over_budget,
        budgets=[k.food],
        expenses=[k.dinner, k.brunch],
    ),
    says(
        "Conflict: your Keflex (prescribed) may go against your penicillin allergy (avoid penicillin; hives). Keflex "
        "contains cefalexin, one of the cephalosporins (a small part of those allergic to penicillins react to a "
        "cephalosporin too). This is no medical advice.",
        "Ask a doctor or pharmacist whether it is safe.",
        r.medicine_against_allergy,
        allergies=[k.penicillin],
        medicines=[but(k.augmentin, title="Keflex", dose=None, since=None, status="prescribed")],
    ),
    says(
        f"Conflict: your Augmentin (the supply lasts through Thursday, June 19, 2025) runs out during {DELHI}. Not "
        "covered: 1 day of the trip.",
        "Refill before Tuesday, June 10, 2025.",
        r.medicine_runs_out,
        medicines=[but(k.augmentin, supply_until=w("2025-06-19"))],
        trips=[k.delhi],
    ),
    says(
        "Running out: your Augmentin (the supply lasts through Monday, June 9, 2025). Only 7 days left.",
        "Refill by Monday, June 9, 2025.",
        r.medicine_runs_out,
        medicines=[but(k.augmentin, supply_until=w("2025-06-09"))],
    ),
    says(
        "Conflict: your wine tasting with Ana (Saturday, June 14, 2025) goes against Ana's wine allergy (avoid "
        "alcohol). It has to do with alcohol, which Ana must avoid.",
        "Ask about alcohol before Saturday, June 14, 2025, or change the plan.",
        r.plan_against_allergy,
        plans=[but(k.tasting, others=("ana",))],
        allergies=[but(k.penicillin, who="ana", title="wine allergy", avoids=("alcohol",))],
    ),
    says(
        'Conflict: your wine tasting with Ana (Saturday, June 14, 2025) goes against your decision "no alcohol" (since '
        "May 2025; until Saturday, June 14, 2025). It has to do with alcohol, which you decided to avoid.",
        "Change the plan, or say that the decision no longer holds.",
        r.plan_breaks_resolution,
        plans=[k.tasting],
        resolutions=[but(k.dry, until=w("2025-06-14"))],
    ),
    says(
        "Running out: the registration of the Civic (runs out on Wednesday, July 2, 2025). Only 30 days left.",
        "Renew it by Wednesday, July 2, 2025.",
        r.vehicle_paper_runs_out,
        vehicles=[k.civic],
    ),
    says(
        "Running out: the registration of the Civic (ran out on Wednesday, July 2, 2025). That is 1 day past.",
        "Renew it before driving again, or say that it is renewed.",
        r.vehicle_paper_runs_out,
        today="2025-07-03",
        vehicles=[k.civic],
    ),
    says(
        "Running out: the registration of the Civic (runs out on Wednesday, July 2, 2025). Today is the last day.",
        "Renew it by Wednesday, July 2, 2025.",
        r.vehicle_paper_runs_out,
        today="2025-07-02",
        vehicles=[k.civic],
    ),
    says(
        "Over the limit: the Civic would have gone 30,003 when its lease ends (30,000 until Wednesday, June 2, 2027). "
        "It stood at 10,001 on Monday, June 2, 2025; at that rate it exceeds the limit by 3.",
        "Drive less, or ask the lessor now what the extra distance costs.",
        r.lease_distance_exceeded,
        vehicles=[k.civic],
    ),
    says(
        "Conflict: your ride to the match (6 people; Saturday, June 7, 2025) is more than the Civic has room for (5). 1 "
        "too many.",
        "Find more room, or another way for 1, before Saturday, June 7, 2025.",
        r.more_people_than_room,
        outings=[k.ride],
    ),
    says(
        "Conflict: Tom's pickup of Mia (Tom; Thursday, June 5, 2025) goes against your school pickup list for Mia (only "
        "Ann and your grandma may pick up Mia). Tom is not on it.",
        "Have Tom added before Thursday, June 5, 2025, or send someone who is.",
        r.errand_not_authorised,
        errands=[k.pickup],
        authorisations=[k.school],
    ),
    says(
        "Conflict: your dentist (Thursday, June 12, 2025, 10:00 AM to 11:00 AM) is part of your trip to Delhi (cancelled).",
        "Say whether your dentist still stands; if it does not, close it.",
        r.rests_on_what_is_gone,
        trips=[but(k.delhi, status="cancelled")],
        commitments=[but(k.dentist, part_of="delhi")],
    ),
    says(
        "Conflict: your penicillin allergy (allergy) may not go together with Tom's pickup of Mia (Thursday, June 5, 2025). "
        "They collide.",
        "Ask somebody.",
        r.concern_stands,
        concerns=[k.clash],
        allergies=[k.penicillin],
        errands=[k.pickup],
    ),
]


@pytest.mark.parametrize(("rule", "today", "collections", "message", "hint"), MESSAGES)
def test_words(rule: RuleFunction, today: str, collections: dict[str, Sequence[Any]], message: str, hint: str) -> None:
    (alert,) = run(rule, collections, date.fromisoformat(today))
    assert alert.message == message
    assert alert.hint == hint


def test_every_rule_is_heard() -> None:
    assert {param.values[0] for param in MESSAGES} == set(r.RULES)

"""What questions of lessons are worth, and what their hints cost, as texts. Knows no session and no window."""

from __future__ import annotations

from irviewer.model.lessons.lesson import Lesson, Question
from irviewer.translation import decimal, tr


def points_of(lesson: Lesson) -> float:
    """Return what all questions of a lesson are worth together."""
    return sum(item.points for item in lesson.items if isinstance(item, Question))


def points_text(question: Question) -> str:
    """Return what a question is worth; "" for the one point of those that say nothing."""
    if question.points == 1:
        return ""
    if question.points < 1:
        return tr("{n} of a point", n=amount(question.points))
    return tr("{n} points", n=amount(question.points))


def hint_text(question: Question) -> str:
    """Return the text of the button that shows the hint of a question; "" without one."""
    if not question.hint:
        return ""
    if not question.hint_costs:
        return tr("Hint")
    if question.hint_costs == 1:
        return tr("Hint (costs 1 point)")
    return tr("Hint (costs {n} points)", n=amount(question.hint_costs))


def amount(points: float) -> str:
    """Return a number of points, with the decimal sign of the window."""
    return decimal(f"{points:g}")

// How old a session is, in the words of the tree: calendar days in the person's own time zone.

export type AgeGroup = 'Today' | 'Yesterday' | 'Last 7 days' | 'Older';

const minute = 60_000;
const day = 86_400_000;

export function groupOf(active: number, now: number): AgeGroup {
  // Rounded, because the day on which the clock is put forward has 23 hours.
  const days = Math.round((midnight(now) - midnight(active)) / day);
  if (days <= 0) return 'Today';
  if (days === 1) return 'Yesterday';
  return days <= 7 ? 'Last 7 days' : 'Older';
}

export function relativeTime(active: number, now: number): string {
  const minutes = Math.floor((now - active) / minute);
  if (minutes < 1) return 'now';
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h`;
  const days = Math.floor(hours / 24);
  if (days < 30) return `${days} d`;
  return new Date(active).toLocaleDateString();
}

function midnight(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0);
}

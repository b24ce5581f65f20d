/** As 5 December 2030, in UTC. */
export function calendarDay(date: Date): string {
  return date.toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
}

/**
 * Returns a time zone in which it is about noon, so that no day ends while a test runs. Etc/GMT-3 is three hours ahead.
 */
export function findZoneAtNoon(): string {
  const hoursAhead = 12 - new Date().getUTCHours();
  return `Etc/GMT${hoursAhead > 0 ? '-' : '+'}${Math.abs(hoursAhead)}`;
}

/** Replaces {email} and {retention} with the settings. */
export function fillLegalText(text: string, settings: { contact_email: string; chat_retention_days: string }): string {
  // Follows the rules of the database. The minimum is one day, and a value that is not a number means 365 days.
  const days = /^\d+$/.test(settings.chat_retention_days) ? Math.max(1, Number(settings.chat_retention_days)) : 365;
  return text
    .replaceAll('{email}', () => settings.contact_email)
    .replaceAll('{retention}', () => `${new Intl.NumberFormat('en-GB').format(days)} ${days === 1 ? 'day' : 'days'}`);
}

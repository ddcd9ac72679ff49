/** Replaces {email} and {retention} with the settings. */
export function fillLegalText(text: string, settings: { contact_email: string; chat_retention_days: string }): string {
  // Same rules as in the database: at least one day, and 365 days if the value is not a number.
  const days = /^\d+$/.test(settings.chat_retention_days) ? Math.max(1, Number(settings.chat_retention_days)) : 365;
  return text
    .replaceAll('{email}', () => settings.contact_email)
    .replaceAll('{retention}', () => `${new Intl.NumberFormat('en-GB').format(days)} ${days === 1 ? 'day' : 'days'}`);
}

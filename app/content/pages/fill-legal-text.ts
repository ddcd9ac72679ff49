/** Fills a text with what the settings say in place of {email} and {retention}. */
export function fillLegalText(text: string, settings: { contact_email: string; chat_retention_days: string }): string {
  // As the database counts: at least a day, and the default for what is no number.
  const days = /^\d+$/.test(settings.chat_retention_days) ? Math.max(1, Number(settings.chat_retention_days)) : 365;
  return text
    .replaceAll('{email}', () => settings.contact_email)
    .replaceAll('{retention}', () => `${new Intl.NumberFormat('en-GB').format(days)} ${days === 1 ? 'day' : 'days'}`);
}

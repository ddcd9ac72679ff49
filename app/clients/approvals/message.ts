/** Text of an approval, split into subject and body. */
export interface Message {
  /** Empty for messages without a subject, such as those on LinkedIn. */
  subject: string;
  body: string;
}

/** Matches a subject line. Accepts the same labels as campaign-events/same-text.ts. */
const SUBJECT_LINE = /^\s*(?:subject|betreff|emne|ämne|objet)[ \t]*:[^\S\n]*(\S[^\n]*)\n+(?=[\s\S]*\S)/i;

/** Splits a text into subject and body. */
export function parseMessage(text: string): Message {
  const [line, subject = ''] = SUBJECT_LINE.exec(text) ?? [''];
  return { subject: subject.trim(), body: text.slice(line.length) };
}

/** Joins subject and body. Reverses parseMessage(). */
export function formatMessage({ subject, body }: Message): string {
  return subject === '' ? body : `Subject: ${subject}\n\n${body}`;
}

/** A text for approval as a message: its first line may be the subject. */
export interface Message {
  /** Empty for messages without a subject, such as those on LinkedIn. */
  subject: string;
  body: string;
}

/** First line with a subject, as campaign-events/same-text.ts recognizes it. */
const SUBJECT_LINE = /^\s*(?:subject|betreff|emne|ämne|objet)[ \t]*:[^\S\n]*(\S[^\n]*)\n+(?=[\s\S]*\S)/i;

/** Splits a text into subject and body. */
export function readMessage(text: string): Message {
  const [line, subject = ''] = SUBJECT_LINE.exec(text) ?? [''];
  return { subject: subject.trim(), body: text.slice(line.length) };
}

/** Joins subject and body, so that readMessage() returns them again. */
export function writeMessage({ subject, body }: Message): string {
  return subject === '' ? body : `Subject: ${subject}\n\n${body}`;
}

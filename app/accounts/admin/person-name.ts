import type { PersonDetail } from '../people.ts';

/** Returns the email address or phone number of a person for use in a sentence. */
export function personName({ email, phone }: Pick<PersonDetail, 'email' | 'phone'>): string {
  return email || phone || 'This person';
}

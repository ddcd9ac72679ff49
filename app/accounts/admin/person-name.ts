import type { PersonDetail } from '../people.ts';

/** Returns a person's email address or phone number for use in a sentence. */
export function personName({ email, phone }: Pick<PersonDetail, 'email' | 'phone'>): string {
  return email || phone || 'This person';
}

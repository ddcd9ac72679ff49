import type { PersonDetail } from '../people.ts';

/** Returns a person's name within a sentence. */
export function personName({ email, phone }: Pick<PersonDetail, 'email' | 'phone'>): string {
  return email || phone || 'This person';
}

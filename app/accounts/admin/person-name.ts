import type { PersonDetail } from '../people.ts';

/** Name of a person within a sentence. */
export function personName({ email, phone }: Pick<PersonDetail, 'email' | 'phone'>): string {
  return email || phone || 'This person';
}

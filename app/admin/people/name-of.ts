import type { PersonDetail } from '../../data/people/people.ts';

/** How a sentence names somebody. */
export function nameOf({ email, phone }: Pick<PersonDetail, 'email' | 'phone'>): string {
  return email || phone || 'This person';
}

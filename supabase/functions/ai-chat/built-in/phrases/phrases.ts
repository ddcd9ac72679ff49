/** Phrases of the assistant, by language. */
import type { Language } from '../../languages.ts';
import { da } from './da.ts';
import { de } from './de.ts';
import { en, type Phrases } from './en.ts';
import { nb } from './nb.ts';
import { sv } from './sv.ts';

export const PHRASES: Record<Language, Phrases> = { en, nb, da, sv, de };

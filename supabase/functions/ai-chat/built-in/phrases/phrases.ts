import type { Language } from '../../languages.ts';
import { en, type Phrases } from './en.ts';
import { nb } from './nb.ts';

export const PHRASES: Record<Language, Phrases> = { en, nb };

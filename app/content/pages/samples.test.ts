import { expect, test } from 'vitest';
import starter from '../../../supabase/seed.sql?raw';
import { FORMER_QUOTE, FORMER_TESTIMONIALS } from './former-samples.ts';
import { handoverDefaults } from './handover.ts';
import { listSamples } from './samples.ts';
import { testimonialsDefaults } from './testimonials.ts';
import { uspsDefaults } from './usps.ts';

test('Saved copies of former samples count as samples, but edited texts do not', () => {
  const saved = FORMER_TESTIMONIALS.map((testimonial, tempId) => ({ ...testimonial, tempId, imgSrc: '' }));
  const editedTestimonial = { tempId: 99, testimonial: 'They answered.', by: 'Kari Holm, Own Company', imgSrc: '' };
  const testimonials = [...saved, editedTestimonial];
  expect(listSamples('home', 'testimonials', { ...testimonialsDefaults, testimonials })).toHaveLength(saved.length);
  expect(listSamples('home', 'usps', uspsDefaults)).toHaveLength(4);
  expect(listSamples('home', 'usps', { ...uspsDefaults, card1: FORMER_QUOTE })).toHaveLength(4);
  const card1 = { ...FORMER_QUOTE, clientName: 'Kari Holm' };
  expect(listSamples('home', 'usps', { ...uspsDefaults, card1 })).toHaveLength(3);
});

test('The default items of a section count as samples until they are changed or the section is hidden', () => {
  expect(listSamples('home', 'handover', handoverDefaults)).toHaveLength(handoverDefaults.items.length);
  expect(listSamples('home', 'handover', { ...handoverDefaults, isShown: false })).toEqual([]);
  expect(listSamples('home', 'handover', { ...handoverDefaults, items: [] })).toEqual([]);
});

test('No person or quote appears twice on the home page', () => {
  const people = testimonialsDefaults.testimonials.map(({ by }) => by.split(',')[0] ?? '');
  const all = [...people, uspsDefaults.card1.clientName];
  expect(new Set(all).size).toBe(all.length);
  const quotes = testimonialsDefaults.testimonials.map(({ testimonial }) => testimonial);
  expect([...all, ...quotes].filter((text) => starter.includes(text))).toEqual([]);
});

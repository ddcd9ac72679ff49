import { beforeEach, expect, test, vi } from 'vitest';
import { bookingDefaults } from './booking.ts';
import { footerDefaults } from './footer.ts';
import { heroDefaults } from './hero.ts';
import { readFooter, readPageContent, readSectionContent } from './read.ts';
import { sections } from './sections.ts';
import { testimonialsDefaults } from './testimonials.ts';
import { uspsDefaults } from './usps.ts';

const warn = vi.spyOn(console, 'warn');

beforeEach(() => {
  warn.mockReset();
});

test('A page without saved content uses the defaults of every section', () => {
  const { sections, saved } = readPageContent('home', [], 'Nordlys');
  expect(sections.hero).toEqual(heroDefaults);
  expect(sections.usps).toEqual(uspsDefaults);
  expect(sections.testimonials).toEqual(testimonialsDefaults);
  expect(saved).toEqual([]);
});

test('The default texts, lists and numbers match the specification', () => {
  expect(heroDefaults.mainHeading).toBe('Build something');
  expect(heroDefaults.ctaText).toBe('Work with us');
  expect(heroDefaults.scrollText).toBe('Scroll to explore');
  expect(heroDefaults.rotatingWords).toEqual(['innovative', 'powerful', 'transformative', 'intelligent', 'seamless']);
  expect(testimonialsDefaults.testimonials).toHaveLength(20);
  expect(new Set(testimonialsDefaults.testimonials.map(({ tempId }) => tempId)).size).toBe(20);
  expect(uspsDefaults.card2.percentage).toBe('40%');
  expect(uspsDefaults.card4.dollarAmount).toBe('$2M+');
  const { phase1, phase2, phase3 } = uspsDefaults.card5.timeline;
  expect([phase1, phase2, phase3]).toEqual([
    { name: 'Discovery', duration: '2 Months' },
    { name: 'Build', duration: '3 Months' },
    { name: 'Deploy', duration: '4 Months' },
  ]);
  expect(bookingDefaults.heading).toBe('Ready to Scale Your Outbound?');
  expect(footerDefaults.newsletter.heading).toBe('Stay Connected');
  expect(footerDefaults.information.links.map(({ label }) => label)).toEqual([
    'Home',
    'About Us',
    'Services',
    'Projects',
    'Contact',
  ]);
  expect(footerDefaults.bottom.legalLinks.map(({ label }) => label)).toEqual([
    'Privacy Policy',
    'Terms of Service',
    'Cookie Settings',
  ]);
  expect(footerDefaults.social.links.filter(({ enabled }) => enabled).map(({ platform }) => platform)).toEqual([
    'instagram',
  ]);
  expect(footerDefaults.bottom.copyright).toContain('2025');
  expect(footerDefaults.contact.address.join(' ')).toContain('Oslo, Norway');
});

test('A missing field uses its default without affecting saved fields', () => {
  const rows = [{ section_name: 'hero', content: '{"mainHeading":"Sell quietly"}' }];
  const { sections, saved } = readPageContent('home', rows, 'Nordlys');
  expect(sections.hero).toEqual({ ...heroDefaults, mainHeading: 'Sell quietly' });
  expect(saved).toEqual(['hero']);
});

test('Only the invalid field group falls back to its default, and the error is logged once', () => {
  const content = JSON.stringify({
    contact: { title: 5 },
    newsletter: { heading: 'a', description: 'b', placeholder: 'c' },
  });
  const footer = readFooter(content, 'Nordlys');
  expect(footer.contact).toEqual({ ...footerDefaults.contact, address: ['Nordlys', 'Oslo, Norway'] });
  expect(footer.newsletter).toEqual({ heading: 'a', description: 'b', placeholder: 'c' });
  readFooter(content, 'Nordlys');
  expect(warn.mock.calls).toEqual([['The saved contact of home/footer is not valid. Using its default.']]);
});

test.each(['{not json', '[1, 2]', '"text"', 'null'])('The saved text %s falls back to the defaults', (content) => {
  const { sections } = readPageContent('contact', [{ section_name: 'header', content }], 'Nordlys');
  expect(sections.header.title).toBe('Tell us what should happen next');
});

test('Invalid JSON is logged only once', () => {
  readPageContent('news', [{ section_name: 'header', content: '{oops' }], 'Nordlys');
  readPageContent('news', [{ section_name: 'header', content: '{oops' }], 'Nordlys');
  expect(warn).toHaveBeenCalledExactlyOnceWith(
    'The saved content of news/header is not valid JSON. Using its defaults.',
  );
});

test('{site} is replaced with the site name on pages but not in editors', () => {
  expect(readFooter(undefined, 'Fjord & $& Co').bottom.copyright).toBe('© 2025 Fjord & $& Co. All rights reserved.');
  const content = '{"title":"Why {site}","description":"{site} is what {site} does."}';
  const { sections } = readPageContent('about', [{ section_name: 'header', content }], 'Nordlys');
  expect(sections.header).toEqual({ title: 'Why Nordlys', description: 'Nordlys is what Nordlys does.' });
  expect(readSectionContent('about', 'header', content).title).toBe('Why {site}');
});

test('No default text contains the name of our own site', () => {
  expect(JSON.stringify(sections)).not.toMatch(/signalfjord/i);
});

import { expect, test } from 'vitest';
import { drawOgImage } from './og-image.tsx';

test('The image of a case study shows the text of its key metric', async () => {
  const draw = (figure: string) =>
    drawOgImage({
      eyebrow: 'Nordvik Logistics',
      title: 'Brand-first pipeline',
      // The number of the figure also determines the cover, so keep it the same.
      subject: { slug: 'nordvik', title: 'Brand-first pipeline', figure },
      siteName: 'Signalfjord',
      accent: '#0a6247',
      logo: null,
    });
  expect(await draw('+40% qualified meetings')).not.toEqual(await draw('+40% booked meetings'));
});

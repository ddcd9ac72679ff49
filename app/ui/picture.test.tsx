import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { DocumentPolicy } from '../api/host/page-policy.ts';
import { findMetadata, pictureNames } from '../api/pictures.ts';
import { Avatar } from './avatar.tsx';
import { Cover } from './cover.tsx';
import { Markdown } from './markdown.tsx';
import { Picture } from './picture.tsx';

const OBJECT = '/storage/v1/object/public/content-media';
const RENDITION = '/storage/v1/render/image/public/content-media';
const FJORD = { width: 1400, height: 700, alt: 'A ferry in a fjord' };

/** Parses the attributes of the first picture. */
function parseAttributes(markup: string): Record<string, string> {
  const [, attributes = ''] = /<img ([^>]*?)\/?>/.exec(markup) ?? [];
  return Object.fromEntries(
    Array.from(attributes.matchAll(/([\w-]+)="([^"]*)"/g), ([, name = '', value = '']) => [name.toLowerCase(), value]),
  );
}

const render = (element: React.ReactElement) => parseAttributes(renderToStaticMarkup(element));

test('A cover has renditions up to its original size, and the first cover of a page is loaded eagerly', () => {
  const cover = (isFirst: boolean) =>
    render(
      <Cover
        src={`${OBJECT}/a.jpg`}
        subject={{ slug: 'a' }}
        sizes="92vw"
        pictures={{ 'a.jpg': FJORD }}
        isFirst={isFirst}
      />,
    );
  expect(cover(false)).toMatchObject({
    src: `${OBJECT}/a.jpg`,
    srcset: [320, 480, 640, 960, 1280, 1600]
      .map((size) => `${RENDITION}/a.jpg?width=${size} ${Math.min(size, 1400)}w`)
      .join(', '),
    sizes: '92vw',
    width: '1400',
    height: '700',
    alt: 'A ferry in a fjord',
    loading: 'lazy',
  });
  expect(cover(true)).toMatchObject({ fetchpriority: 'high' });
  expect(cover(true)).not.toHaveProperty('loading');
});

test('A picture of unknown width has renditions from 320 to 2400 pixels', () => {
  const { srcset = '' } = render(
    <DocumentPolicy value={{ pictures: ['https://x.supabase.co'], frames: [], media: [] }}>
      <Cover src={`https://x.supabase.co${OBJECT}/b.webp`} subject={{ slug: 'b' }} sizes="92vw" />
    </DocumentPolicy>,
  );
  expect(srcset).toMatch(/^https:\/\/x\.supabase\.co\/storage\/v1\/render\/.*b\.webp\?width=320 320w, /);
  expect(srcset).toMatch(/\?width=2400 2400w$/);
});

test.each(['https://pictures.example/c.jpg', `${OBJECT}/moves.gif`, `${OBJECT}/sign.svg`, '/favicon.png'])(
  '%s has no renditions',
  (src) => {
    const picture = render(<Picture src={src} alt="" sizes="92vw" fallback={null} />);
    expect(picture).toEqual(src.startsWith('https') ? {} : { src, alt: '', loading: 'lazy', decoding: 'async' });
  },
);

test('A portrait is loaded in its displayed size and reserves its space', () => {
  expect(render(<Avatar name="Ada" src={`${OBJECT}/ada.png`} pixels={40} />)).toMatchObject({
    srcset: expect.stringContaining('width=320 320w'),
    sizes: '40px',
    width: '40',
    height: '40',
    alt: '',
  });
});

test('A picture in a text falls back to the alt text of the library', () => {
  const pictures = { 'fjord.jpg': FJORD };
  const image = (text: string) => render(<Markdown text={text} pictures={pictures} />);
  expect(image(`![](${OBJECT}/fjord.jpg)`)).toMatchObject({ alt: 'A ferry in a fjord', width: '1400', height: '700' });
  expect(image(`![Bergen](${OBJECT}/fjord.jpg)`)).toMatchObject({ alt: 'Bergen' });
  expect(image(`![](${OBJECT}/fjord.jpg)`)['srcset']).toContain('?width=640 640w');
  expect(image(`![](${OBJECT}/unknown.jpg)`)).toMatchObject({ alt: '', src: `${OBJECT}/unknown.jpg` });
});

test('A picture keeps its focal point', () => {
  const pictures = { 'a.jpg': { ...FJORD, focus: { x: 0.8, y: 0.26 } } };
  const cover = render(<Cover src={`${OBJECT}/a.jpg`} subject={{ slug: 'a' }} sizes="92vw" pictures={pictures} />);
  expect(cover).toMatchObject({ 'data-focus-x': '16', 'data-focus-y': '5' });
});

test('Finds the library names of pictures in texts and URLs', () => {
  const text = `![a](${OBJECT}/a.png) [b](<https://x.example${OBJECT}/posts/b%20c.png?x=1> "t") <${OBJECT}/d.png>`;
  expect(pictureNames(text)).toEqual(['a.png', 'posts/b c.png', 'd.png']);
  expect(pictureNames('/content-media/%zz.png')).toEqual(['%zz.png']);
  expect(findMetadata({ 'b c.png': FJORD }, `${OBJECT}/b%20c.png`)).toBe(FJORD);
  expect(findMetadata(undefined, `${OBJECT}/a.png`)).toBeUndefined();
  expect(findMetadata({ 'a.png': FJORD }, null)).toBeUndefined();
});

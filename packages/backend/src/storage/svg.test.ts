import { describe, expect, test } from 'vitest';
import { sanitizeSvg } from './svg.ts';

const wrap = (content: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg"${attributes}>${content}</svg>`;
const ROOT = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">';
const clean = (content: string) => sanitizeSvg(wrap(content)).replace(ROOT, '').replace('</svg>', '');

describe('sanitizeSvg keeps', () => {
  test('shapes, gradients, text, internal references, and dimensions', () => {
    const drawing =
      '<defs><linearGradient id="g"><stop offset="0" stop-color="#fff"></stop></linearGradient></defs>' +
      '<g transform="scale(2)"><path d="M0 0L1 1" fill="url(#g)" style="stroke-width: 2px"></path></g>' +
      '<text x="1">Å &amp; æ &lt; ø 🙂</text><use href="#g"></use><use xlink:href="#g"></use>';
    expect(clean(drawing)).toBe(drawing);
    expect(sanitizeSvg(wrap('', ' viewBox="0 0 4 2" width="4" height="2"'))).toContain(
      'viewBox="0 0 4 2" width="4" height="2"',
    );
  });

  test('style sheets without external resources, and embedded pictures', () => {
    expect(clean('<style>.a{fill:#fff} .b>.c{fill:url(#g)}</style>')).toBe(
      '<style>.a{fill:#fff} .b&gt;.c{fill:url(#g)}</style>',
    );
    expect(clean('<style><![CDATA[.a{fill:red}]]></style>')).toBe('<style>.a{fill:red}</style>');
    const image = '<image href="data:image/png;base64,AAAA" width="1"></image>';
    expect(clean(image)).toBe(image);
  });

  test('the drawing in an Inkscape file, without its metadata', () => {
    const exported =
      '<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">' +
      '<!-- made by hand --><svg xmlns="http://www.w3.org/2000/svg" xmlns:i="http://www.inkscape.org/namespaces/inkscape" i:version="1">' +
      '<metadata>x</metadata><i:grid/><rect/></svg>';
    expect(sanitizeSvg(exported)).toBe(`${ROOT}<rect></rect></svg>`);
  });

  test('escaped markup in text as text', () => {
    expect(clean('<text>&lt;script&gt;alert(1)&lt;/script&gt;</text>')).toBe(
      '<text>&lt;script&gt;alert(1)&lt;/script&gt;</text>',
    );
    expect(clean('<rect class="&quot;&gt;&lt;script&gt;"/>')).not.toContain('<script');
  });

  test('repeated elements, as exported by drawing programs', () => {
    const stars = `<defs><g id="star">${'<path d="M0 0"/>'.repeat(100)}</g></defs>${'<use href="#star"/>'.repeat(400)}`;
    expect(clean(stars)).toContain('#star');
    const clipped =
      '<style>.cls-1{fill:none}.cls-2{clip-path:url(#c)}@media print{.cls-2{fill:url(#g)}}</style>' +
      '<clipPath id="c"><rect class="cls-1"/></clipPath><linearGradient id="g"/>' +
      '<g class="cls-2"><path/></g>'.repeat(500);
    expect(clean(clipped)).toContain('cls-2');
  });
});

test('sanitizeSvg keeps the drawing inside a link, without the link', () => {
  expect(clean('<a href="https://x.example" fill="red" transform="scale(2)"><rect/></a>')).toBe(
    '<g fill="red" transform="scale(2)"><rect></rect></g>',
  );
  for (const target of ['javascript:alert(1)', '#part', 'data:text/html,x']) {
    expect(clean(`<a href="${target}" onclick="x"><rect/></a>`)).toBe('<g><rect></rect></g>');
  }
});

test('sanitizeSvg replaces short entities as declared by Illustrator, and rejects nested entities', () => {
  const document = (entities: string, content: string) =>
    `<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x.dtd" [${entities}]><svg xmlns="&ns;">${content}</svg>`;
  const ns = '<!ENTITY ns "http://www.w3.org/2000/svg">';
  expect(sanitizeSvg(document(`${ns}\n<!ENTITY title 'A &#60; B'>`, '<rect/>'))).toBe(`${ROOT}<rect></rect></svg>`);
  expect(sanitizeSvg(document(`${ns}<!ENTITY word "Oslo">`, '<text>&word;</text>'))).toBe(
    `${ROOT}<text>Oslo</text></svg>`,
  );
  for (const entity of ['<!ENTITY a "&ns;&ns;">', '<!ENTITY a SYSTEM "file:///etc/passwd">', '<!ENTITY a "<rect/>">']) {
    expect(() => sanitizeSvg(document(`${ns}${entity}`, '<text>&a;</text>')), entity).toThrow('not well-formed');
  }
});

describe('sanitizeSvg drops', () => {
  test.each([
    ['a script', '<script>alert(1)</script>'],
    ['a script in CDATA', '<script><![CDATA[alert(1)]]></script>'],
    ['a script with a namespace prefix', '<x:script xmlns:x="http://www.w3.org/2000/svg">alert(1)</x:script>'],
    [
      'an embedded page',
      '<foreignObject><div xmlns="http://www.w3.org/1999/xhtml"><iframe src="x"/></div></foreignObject>',
    ],
    ['HTML elements', '<img xmlns="http://www.w3.org/1999/xhtml" src="x" onerror="alert(1)"/>'],
    ['animations', '<animate attributeName="href" to="javascript:alert(1)"/><set attributeName="onclick" to="x"/>'],
    ['event elements', '<handler>alert(1)</handler><listener event="click"/>'],
  ])('%s', (_title, content) => {
    expect(clean(content)).toBe('');
  });

  test.each([
    ['event handlers', '<rect onload="alert(1)" onClick="x"/>'],
    ['foreign attributes', '<rect xmlns:e="urn:e" e:onload="x" xml:base="javascript:x"/>'],
    ['references to other sites', '<rect href="https://evil.example/x.svg#a" />'],
    ['javascript: URLs', '<rect href=" javascript:alert(1)"/>'],
    ['embedded SVG documents', '<rect href="data:image/svg+xml;base64,AAAA"/>'],
    ['data: URLs of pages', '<rect href="data:text/html,&lt;script>"/>'],
    ['styles that load resources', '<rect style="fill:url(https://evil.example/x)" fill="url(//evil.example)"/>'],
    ['styles with escapes', '<rect style="background:\\75rl(x)" filter="URL( data:x )"/>'],
  ])('%s', (_title, content) => {
    expect(clean(content)).toBe('<rect></rect>');
  });

  test.each([
    '@import "https://evil.example/x.css";',
    '.a{background:url(https://evil.example)}',
    '.a{background:image-set("https://evil.example" 1x)}',
    '@font-face{font-family:a;src:url(https://evil.example)}',
    '\\40 import "x";',
    '&lt;/style>&lt;script>alert(1)&lt;/script>',
  ])('the content of the style sheet %s', (css) => {
    expect(clean(`<style>${css}</style>`)).toBe('<style></style>');
  });
});

describe('sanitizeSvg rejects', () => {
  test.each([
    ['unclosed elements', wrap('<g>')],
    ['a second root', `${wrap('')}${wrap('')}`],
    ['external entities', `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///x">]>${wrap('<text>&x;</text>')}`],
    ['a duplicate attribute', wrap('<rect x="1" x="2"/>')],
    ['an unknown prefix', wrap('<foo:rect/>')],
    ['an empty file', ''],
    ['plain text', 'hello'],
  ])('%s', (_title, source) => {
    expect(() => sanitizeSvg(source)).toThrow(/^The SVG is not well-formed XML: /);
  });

  /** Builds nested levels of ten references each. */
  const levels = (count: number, write: (level: number, inner: string) => string, refer: (level: number) => string) =>
    wrap(
      Array.from({ length: count }, (_, level) => write(level, level ? refer(level - 1).repeat(10) : '<rect/>')).join(
        '',
      ) + refer(count - 1),
    );

  test.each([
    [
      'use',
      levels(
        10,
        (level, inner) => `<g id="a${level}">${inner}</g>`,
        (level) => `<use href="#a${level}"/>`,
      ),
    ],
    [
      'use with unusual href syntax',
      levels(
        10,
        (level, inner) => `<symbol id="a${level}">${inner}</symbol>`,
        (level) => `<use xlink:href=" #%61${level} "/>`,
      ).replace('<svg ', '<svg xmlns:xlink="http://www.w3.org/1999/xlink" '),
    ],
    [
      'patterns',
      levels(
        10,
        (level, inner) => `<pattern id="a${level}" width="1" height="1">${inner}</pattern>`,
        (level) => `<rect fill="url('#a${level}')"/>`,
      ),
    ],
    [
      'masks in style attributes',
      levels(
        10,
        (level, inner) => `<mask id="a${level}">${inner}</mask>`,
        (level) => `<rect style="mask:URL(#a${level})"/>`,
      ),
    ],
    [
      'patterns in style sheets',
      levels(
        10,
        (level, inner) =>
          `<style>svg .b${level}{fill:url(#a${level})}</style><pattern id="a${level}">${inner}</pattern>`,
        (level) => `<rect class="x b${level}"/>`,
      ),
    ],
  ])('exponential references: %s', (_title, source) => {
    expect(() => sanitizeSvg(source)).toThrow('The SVG draws more than 200,000 elements through references.');
  });

  test('cyclic references and long reference chains', () => {
    const cycle = '<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>';
    expect(() => sanitizeSvg(wrap(cycle))).toThrow('refers to itself');
    const chain = (length: number, order: 1 | -1) => {
      const links = Array.from({ length }, (_, link) => `<g id="a${link}"><use href="#a${link + 1}"/></g>`);
      return wrap((order === 1 ? links : links.reverse()).join(''));
    };
    for (const order of [1, -1] as const) {
      expect(() => sanitizeSvg(chain(400, order))).toThrow('has a reference chain of more than 20 elements');
      expect(sanitizeSvg(chain(20, order))).toContain('a19');
    }
  });

  test('documents other than SVG, excessive nesting and excessive reuse', () => {
    expect(() => sanitizeSvg('<html xmlns="http://www.w3.org/1999/xhtml"/>')).toThrow('The file is not an SVG image.');
    expect(() => sanitizeSvg('<svg/>')).toThrow('The file is not an SVG image.');
    expect(() => sanitizeSvg(wrap('<g>'.repeat(200) + '</g>'.repeat(200)))).toThrow('nested deeper than 100 levels');
    expect(() => sanitizeSvg(wrap('<use href="#a"/>'.repeat(501)))).toThrow('reuses more than 500');
    expect(clean('<use href="#a"/>'.repeat(3))).toBe('<use href="#a"></use>'.repeat(3));
  });
});

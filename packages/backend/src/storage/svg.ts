/**
 * Sanitizes an SVG by writing it again. It is parsed as strict XML. Only known drawing elements and attributes are
 * written, and all text is escaped. This removes scripts, event handlers, foreign content, external links and document
 * types. Short entities are replaced with their text. See docs/decisions/files.md.
 */
import { SaxesParser, type SaxesTagNS } from 'saxes';
import { escapeMarkup } from '../http/escape-markup.ts';
import { invalidRequest } from './storage-error.ts';
import { createReferenceCounter } from './svg-references.ts';

const SVG = 'http://www.w3.org/2000/svg';
const XLINK = 'http://www.w3.org/1999/xlink';
const XML = 'http://www.w3.org/XML/1998/namespace';

const ELEMENTS = new Set(
  `svg g defs symbol use title desc switch style
  path rect circle ellipse line polyline polygon text tspan textPath image
  linearGradient radialGradient stop pattern clipPath mask marker view
  filter feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap
  feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology
  feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence`.split(/\s+/),
);

const ATTRIBUTES = new Set(
  `id class style lang tabindex role href x y z x1 x2 y1 y2 cx cy r rx ry fx fy fr d dx dy width height viewBox version
  preserveAspectRatio points pathLength transform transform-origin gradientUnits gradientTransform spreadMethod offset
  patternUnits patternContentUnits patternTransform clipPathUnits maskUnits maskContentUnits mask-type markerUnits
  markerWidth markerHeight refX refY orient viewTarget textLength lengthAdjust startOffset method spacing side rotate
  fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin stroke-miterlimit
  stroke-dasharray stroke-dashoffset vector-effect paint-order opacity color display visibility overflow clip clip-path
  clip-rule mask marker marker-start marker-mid marker-end stop-color stop-opacity flood-color flood-opacity
  lighting-color color-interpolation color-interpolation-filters shape-rendering text-rendering image-rendering
  mix-blend-mode isolation font-family font-size font-size-adjust font-stretch font-style font-variant font-weight
  letter-spacing word-spacing text-anchor text-decoration dominant-baseline alignment-baseline baseline-shift direction
  unicode-bidi writing-mode filter filterUnits primitiveUnits in in2 result mode type values tableValues slope intercept
  amplitude exponent operator k1 k2 k3 k4 order kernelMatrix divisor bias targetX targetY edgeMode preserveAlpha
  kernelUnitLength surfaceScale diffuseConstant specularConstant specularExponent limitingConeAngle pointsAtX pointsAtY
  pointsAtZ azimuth elevation radius scale xChannelSelector yChannelSelector stdDeviation baseFrequency numOctaves seed
  stitchTiles systemLanguage`.split(/\s+/),
);

/** Entity declared by Illustrator for a namespace: a short text without markup or other entities. */
const ENTITY = /<!ENTITY\s+([A-Za-z_][\w.-]{0,60})\s+(["'])([^"'<>&%]{0,100})\2\s*>/g;

/** Maximum nesting, deeper than in real drawings. Renderers recurse, so deep nesting can overflow their stack. */
const MAX_DEPTH = 100;
const MAX_REUSES = 500;

/** @throws ApiError InvalidRequest if the source is not well-formed XML with an svg root, or has too many or too deeply nested elements */
export function sanitizeSvg(source: string): string {
  const output: string[] = [];
  /** Open elements, and whether each is written. Nothing inside a dropped element is written. */
  const openTags: { name: string; isKept: boolean }[] = [];
  let reuses = 0;
  let css = '';
  const references = createReferenceCounter();
  const parser = new SaxesParser({ xmlns: true, additionalNamespaces: { xlink: XLINK } });

  parser.on('error', (error) => {
    throw invalidRequest(`The SVG is not well-formed XML: ${error.message.slice(0, 200)}`);
  });
  parser.on('doctype', (doctype) => {
    for (const [, name = '', , value = ''] of doctype.matchAll(ENTITY)) parser.ENTITIES[name] = value;
  });
  parser.on('opentag', (tag) => {
    const parent = openTags.at(-1);
    if (!parent && (tag.uri !== SVG || tag.local !== 'svg')) throw invalidRequest('The file is not an SVG image.');
    const isKept = (parent?.isKept ?? true) && tag.uri === SVG && (ELEMENTS.has(tag.local) || tag.local === 'a');
    // A link becomes a group, so that its drawing is kept without the target.
    const name = tag.local === 'a' ? 'g' : tag.local;
    openTags.push({ name, isKept });
    if (openTags.length > MAX_DEPTH)
      throw invalidRequest(`The SVG has elements nested deeper than ${MAX_DEPTH} levels.`);
    if (!isKept) return;
    if (tag.local === 'use') reuses += 1;
    if (reuses > MAX_REUSES) throw invalidRequest(`The SVG reuses more than ${MAX_REUSES} elements.`);
    const namespaces = parent ? '' : ` xmlns="${SVG}" xmlns:xlink="${XLINK}"`;
    const attributes = safeAttributes(tag).filter(([key]) => tag.local !== 'a' || !key.endsWith('href'));
    references.open(name, new Map(attributes.map(([key, value]) => [key.replace(/^xlink:/, ''), value])));
    const attributeText = attributes.map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
    output.push(`<${name}${namespaces}${attributeText.join('')}>`);
  });
  parser.on('closetag', () => {
    const element = openTags.pop();
    if (!element?.isKept) return;
    if (element.name === 'style') {
      if (isSafeCss(css)) {
        output.push(escapeXml(css));
        references.addStyles(css);
      }
      css = '';
    }
    output.push(`</${element.name}>`);
    references.close();
  });
  const onText = (text: string) => {
    const element = openTags.at(-1);
    if (!element?.isKept) return;
    if (element.name === 'style') css += text;
    else output.push(escapeXml(text));
  };
  parser.on('text', onText);
  parser.on('cdata', onText);
  parser.write(source).close();
  references.requireBounded();
  return output.join('');
}

/** Returns the names and values of the allowed attributes. */
function safeAttributes(tag: SaxesTagNS): [name: string, value: string][] {
  const safe: [string, string][] = [];
  for (const { uri, local, value } of Object.values(tag.attributes)) {
    if (uri === XML && (local === 'space' || local === 'lang')) safe.push([`xml:${local}`, value]);
    if (uri === XLINK && local === 'href' && isSafeReference(value)) safe.push(['xlink:href', value]);
    if (uri !== '' || !ATTRIBUTES.has(local)) continue;
    if (local === 'href' ? isSafeReference(value) : isSafeCss(value)) safe.push([local, value]);
  }
  return safe;
}

/** Returns whether a reference is to a part of the same picture, or to an embedded raster picture. */
function isSafeReference(value: string): boolean {
  return /^\s*#[^\s]*\s*$/.test(value) || /^\s*data:image\/(?:png|jpeg|gif|webp);base64,[\w+/=\s]+$/.test(value);
}

/**
 * Returns whether CSS is safe: no escapes that hide words, no at-rules that load files, and only URLs of parts of the same
 * picture.
 */
function isSafeCss(css: string): boolean {
  return (
    !/[\\<]|expression|javascript|-moz-binding|behaviou?r\s*:/i.test(css) &&
    !/@(?!media\b|supports\b|keyframes\b|-webkit-keyframes\b)/i.test(css) &&
    !/(?:url|src|image|image-set|cross-fade|element)\(\s*(?!['"]?#)/i.test(css)
  );
}

function escapeXml(text: string): string {
  return escapeMarkup(text).replace(/[\t\n\r]/g, (space) => `&#${space.charCodeAt(0)};`);
}

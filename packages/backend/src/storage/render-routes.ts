/** /render/image: smaller renditions of raster pictures, rendered once and cached on disk. */
import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { Hono } from 'hono';
import { findPublicObject, findReadableObject, findSignedObject } from './object-routes.ts';
import type { ObjectRow } from './objects.ts';
import {
  chooseFormat,
  DEFAULT_QUALITY,
  describeTransform,
  type Focus,
  isRasterPicture,
  MIDDLE,
  type RenditionFormat,
  renderPicture,
  type Transform,
  transformSchema,
} from './pictures.ts';
import { OBJECT, parseInput, type StorageHono, type StorageHonoContext } from './request-input.ts';
import { contentHeaders, isNotModified, PRIVATE, serveObject } from './serve-object.ts';
import type { Storage } from './storage.ts';
import { invalidRequest } from './storage-error.ts';

/** Builds the routes that need no key. */
export function publicRenderRoutes(storage: Storage): StorageHono {
  const routes: StorageHono = new Hono();

  routes.get(`/public/${OBJECT}`, async (context) => {
    const object = await findPublicObject(storage, context);
    return serveRendition(
      storage,
      context,
      { object, isPublic: true },
      parseVisitorTransform(context.req.query(), storage.options.pictureWidths),
    );
  });

  routes.get(`/sign/${OBJECT}`, async (context) => {
    const { object, transformations } = await findSignedObject(storage, context);
    const transform = parseInput(transformSchema, JSON.parse(transformations ?? '{}'));
    return serveRendition(storage, context, { object, isPublic: false }, transform);
  });

  return routes;
}

/** Builds the routes that act on behalf of the key or token. */
export function renderRoutes(storage: Storage): StorageHono {
  const routes: StorageHono = new Hono();
  routes.get(`/authenticated/${OBJECT}`, async (context) => {
    const source = await findReadableObject(storage, context);
    const isVisitor = context.get('identity').role === 'anon';
    const query = context.req.query();
    const transform = isVisitor ? parseVisitorTransform(query, storage.options.pictureWidths) : parseTransform(query);
    return serveRendition(storage, context, source, transform);
  });
  return routes;
}

const parseTransform = (query: Record<string, string>): Transform => parseInput(transformSchema, query);

/**
 * Parses the requested size. An application can restrict the sizes, because each of millions of sizes costs a second of
 * work and a file.
 * @throws ApiError InvalidRequest
 */
function parseVisitorTransform(query: Record<string, string>, widths: readonly number[] | undefined): Transform {
  const transform = parseTransform(query);
  if (!widths) return transform;
  const { width, height, quality, resize } = transform;
  const isAllowedWidth = widths.some((allowed) => allowed === width) && height === undefined;
  if (isAllowedWidth && quality === undefined && resize === 'cover') return transform;
  throw invalidRequest(
    `Without an account or a signed URL, the width must be one of ${widths.join(', ')} px, and height, quality and resize are not allowed.`,
  );
}

/**
 * Serves a rendition. SVG and animated WebP files are served unchanged: an SVG is sharp at any size, and rendering
 * would stop the animation.
 */
async function serveRendition(
  storage: Storage,
  context: StorageHonoContext,
  { object, isPublic }: { object: ObjectRow; isPublic: boolean },
  transform: Transform,
): Promise<Response> {
  const { address } = context.env;
  const download = context.req.query('download') ?? null;
  const { mimetype, cacheControl, lastModified } = object.metadata;
  if (mimetype === 'image/svg+xml' || (await isAnimated(storage, object)))
    return serveObject(storage, context.req.raw, object, { download, isPublic });
  if (!isRasterPicture(mimetype)) throw invalidRequest(`Only pictures can be resized; this file is ${mimetype}.`);
  const format = chooseFormat(transform, mimetype, context.req.header('accept') ?? '');
  const focus = readFocus(object);
  const key = renditionKey(object.version, transform, format, focus);
  const etag = `"${key}"`;
  const headers = new Headers({
    ...contentHeaders(`image/${format}`, object.name, download),
    'cache-control': isPublic ? cacheControl : PRIVATE,
    etag,
    'last-modified': new Date(lastModified).toUTCString(),
    vary: 'Accept',
    'x-transformations': describeTransform(transform),
  });
  // Queue each caller separately, because the first caller to request this rendition may have a long queue.
  const render = () =>
    storage.renderQueue.run(
      address,
      () =>
        storage.renditions.get(key, async () => {
          storage.renderQueue.count(address);
          return renderPicture(await storage.bytes.read(object.version), transform, format, focus);
        }),
      context.req.raw.signal,
    );
  if (isNotModified(context.req.raw.headers, etag, new Date(lastModified))) {
    return new Response(null, { status: 304, headers });
  }
  const bytes = (await storage.renditions.find(key)) ?? (await render());
  headers.set('content-length', String(bytes.byteLength));
  return new Response(context.req.method === 'HEAD' ? null : new Uint8Array(bytes), { headers });
}

/** Detects animated WebP only. GIFs are rendered as still thumbnails for lists, and pages show the file itself. */
async function isAnimated({ bytes }: Storage, { metadata: { mimetype, size }, version }: ObjectRow): Promise<boolean> {
  if (mimetype !== 'image/webp' || size <= ANIMATION_BYTE) return false;
  const head = await buffer(await bytes.read(version, { start: 0, end: ANIMATION_BYTE }));
  return head.toString('latin1', 12, 16) === 'VP8X' && ((head[ANIMATION_BYTE] ?? 0) & ANIMATION_FLAG) !== 0;
}

/** Index of the byte with the animation flag in the extended header of a WebP, see RFC 9649. */
const ANIMATION_BYTE = 20;
const ANIMATION_FLAG = 0b10;

/** Returns the focal point that editors have set; see set_media_focus(). */
function readFocus({ user_metadata: metadata }: ObjectRow): Focus {
  const { focal_x: x, focal_y: y } = metadata ?? {};
  const isPoint = [x, y].every((fraction) => typeof fraction === 'number' && fraction >= 0 && fraction <= 1);
  return isPoint ? { x: Number(x), y: Number(y) } : MIDDLE;
}

function renditionKey(version: string, transform: Transform, format: RenditionFormat, focus: Focus): string {
  const { width, height, resize, quality = DEFAULT_QUALITY } = transform;
  return createHash('sha256')
    .update([version, width, height, resize, quality, format, focus.x, focus.y].join(' '))
    .digest('hex');
}

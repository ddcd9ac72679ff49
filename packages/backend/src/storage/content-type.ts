/**
 * Detects the type of a file from its bytes. The declared type is used only to choose between harmless text types.
 */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { fileTypeFromFile } from 'file-type';
import { ApiError } from '../http/api-error.ts';

const HARMLESS_TEXT = new Set(['text/plain', 'text/csv', 'text/markdown', 'text/css', 'application/json']);

/** Number of bytes at the start of a file that are examined for text types. */
const HEAD_BYTES = 32 * 1024;

export async function detectContentType(path: string, declaredType: string): Promise<string> {
  const text = await readHeadAsText(path);
  // The byte order mark of UTF-16 looks like the start of an MP3 frame.
  const isUtf16 = text?.encoding.startsWith('utf-16');
  const detectedType = isUtf16 ? undefined : await fileTypeFromFile(path);
  if (detectedType?.mime === 'application/x-cfb')
    return (await isWordDocument(path)) ? 'application/msword' : detectedType.mime;
  if (detectedType && detectedType.mime !== 'application/xml') return detectedType.mime;
  if (!text) return detectedType?.mime ?? 'application/octet-stream';
  return markupType(text.head) ?? detectedType?.mime ?? harmlessTextType(declaredType);
}

/**
 * Returns image/svg+xml if the root element is `svg`, or text/html if the text contains an HTML element. Browsers sniff
 * types in a similar way.
 */
function markupType(text: string): string | undefined {
  const withoutPreamble = text.replace(/^\uFEFF/, '').replace(/<!--[\s\S]*?(?:-->|$)|<\?[\s\S]*?(?:\?>|$)/g, ' ');
  const isSvg = /^\s*(?:<!DOCTYPE\s+svg\b[^>[]*(?:\[[^\]]*\])?[^>]*>)?\s*<(?:\w+:)?svg[\s>/]/i.test(withoutPreamble);
  if (isSvg) return 'image/svg+xml';
  const htmlElement =
    /<(?:!DOCTYPE\s+html|html|head|body|script|iframe|object|embed|form|style|meta|link|img|svg|title|table|div|p|a|h\d|br)[\s>/]/i;
  return htmlElement.test(withoutPreamble) ? 'text/html' : undefined;
}

function harmlessTextType(declaredType: string): string {
  const type = declaredType.split(';')[0]?.trim().toLowerCase() ?? '';
  return HARMLESS_TEXT.has(type) ? type : 'text/plain';
}

/** Reads the start of a text file. Returns undefined for other files. */
async function readHeadAsText(path: string): Promise<{ head: string; encoding: string } | undefined> {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const bytes = buffer.subarray(0, bytesRead);
    const encoding = textEncoding(bytes);
    // Streaming mode, because the last character may be incomplete.
    const head = new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true });
    return head.includes('\0') ? undefined : { head, encoding };
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  } finally {
    await file.close();
  }
}

/** Returns the encoding of a text from its byte order mark. */
export function textEncoding(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
}

/** .doc, .xls, .ppt and .msi share a container format. Only a .doc file has a stream with this name. */
async function isWordDocument(path: string): Promise<boolean> {
  const name = Buffer.from('WordDocument', 'utf16le');
  let tail = Buffer.alloc(0);
  for await (const chunk of createReadStream(path)) {
    const bytes = Buffer.concat([tail, chunk]);
    if (bytes.includes(name)) return true;
    tail = bytes.subarray(-name.length);
  }
  return false;
}

/**
 * @param allowed types of the bucket, such as image/png or image/*. Null or empty allows all
 * @throws ApiError InvalidMimeType
 */
export function requireAllowedType(type: string, allowed: readonly string[] | null): void {
  if (!allowed || allowed.length === 0) return;
  const isAllowed = allowed.some(
    (mime) => mime === '*/*' || mime === type || (mime.endsWith('/*') && type.startsWith(mime.slice(0, -1))),
  );
  if (!isAllowed) {
    throw new ApiError(415, 'InvalidMimeType', `mime type ${type} is not supported`, {
      details: `The file content was detected as ${describeType(type)}.`,
    });
  }
}

function describeType(type: string): string {
  if (type === 'text/html') return 'a web page';
  if (type.startsWith('text/') || type === 'application/json') return 'plain text';
  if (type === 'application/octet-stream') return 'an unknown type';
  return type;
}

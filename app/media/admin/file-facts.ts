import type { MediaFile } from '../media.ts';

const NAMES: Readonly<Record<string, string>> = {
  'image/svg+xml': 'SVG',
  'video/quicktime': 'MOV',
  'audio/mpeg': 'MP3',
  'application/msword': 'DOC',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'DOCX',
};

/** 'PNG', 'PDF', 'DOCX'. */
export function typeInWords({ mimetype }: MediaFile): string {
  return NAMES[mimetype] ?? mimetype.replace(/^.*\/(x-)?/, '').toUpperCase();
}

/** '1 file', '12 files'. */
export function filesInWords(count: number): string {
  return count === 1 ? '1 file' : `${count} files`;
}

/** Returns the types that may stand in the place of a file, as the accept attribute names them. */
export function acceptedInPlaceOf({ mimetype }: MediaFile): string {
  const [kind = ''] = mimetype.split('/');
  return ['image', 'video', 'audio'].includes(kind) ? `${kind}/*` : '.pdf,.doc,.docx';
}

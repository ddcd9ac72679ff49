import { expect, test } from 'vitest';
import { logoError } from './logo-file.ts';

const TWO_MEGABYTES = 2 * 1024 * 1024;

function file(type: string, size = 10): File {
  return new File([new Uint8Array(size)], 'logo', { type });
}

test.each(['image/png', 'image/svg+xml', 'image/jpeg', 'image/webp'])('Accepts a logo of type %s', (type) => {
  expect(logoError(file(type))).toBeNull();
});

test.each(['image/gif', 'application/pdf', 'text/html', ''])('Rejects a logo of type %j', (type) => {
  expect(logoError(file(type))).toEqual({
    title: 'Invalid file type',
    message: 'Only PNG, SVG, JPG, and WEBP files are allowed',
  });
});

test('Rejects a logo of more than 2 MB', () => {
  expect(logoError(file('image/png', TWO_MEGABYTES))).toBeNull();
  expect(logoError(file('image/png', TWO_MEGABYTES + 1))).toEqual({
    title: 'File too large',
    message: 'Maximum file size is 2MB',
  });
});

/** Hands a text to the browser as a file to keep. */
export function download(text: string, fileName: string, type: 'text/csv' | 'application/json'): void {
  // The mark tells spreadsheets that the text is UTF-8.
  const parts = type === 'text/csv' ? ['\uFEFF', text] : [text];
  const url = URL.createObjectURL(new Blob(parts, { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(url);
}

/** Sentence such as 'Anna and Bo are editing' or 'Anna and 2 others are editing'. */
export function editingSentence([first = '', ...others]: readonly string[]): string {
  if (others.length === 0) return `${first} is editing`;
  return `${first} and ${others.length === 1 ? others[0] : `${others.length} others`} are editing`;
}

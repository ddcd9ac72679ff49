/** Returns a text such as 'Anna and Bo are editing' or 'Anna and 2 others are editing'. */
export function presenceText([firstName = '', ...otherNames]: readonly string[]): string {
  if (otherNames.length === 0) return `${firstName} is editing`;
  return `${firstName} and ${otherNames.length === 1 ? otherNames[0] : `${otherNames.length} others`} are editing`;
}

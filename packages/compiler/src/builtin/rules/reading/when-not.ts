const WHEN_NOT =
  /\b(?:do(?:es)? not|don['’]t|doesn['’]t|never|not (?:for|to|meant|intended|suitable|supported|available|recommended)|avoid|instead|only (?:for|when|if|works|use|supports|after)|unless|except|rather than|cannot|can['’]t|isn['’]t|without|prefer)\b/iu;

/** True if a description says when not to use its tool. */
export function saysWhenNot(description: string): boolean {
  return WHEN_NOT.test(description);
}

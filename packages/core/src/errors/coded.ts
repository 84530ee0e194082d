// A code with parameters is for programs, and stays; what people read is made of it, in their language, where they read it.

/** A code, with what a sentence about it is made of. `P` has the parameters of each code, and null for one without. */
export type Coded<P> = {
  [C in keyof P]: P[C] extends null
    ? { readonly code: C; readonly params?: undefined }
    : { readonly code: C; readonly params: P[C] }
}[keyof P]

/** A sentence for each code, in one language. */
export type Sentences<P> = { readonly [C in keyof P]: P[C] extends null ? string : (params: P[C]) => string }

/** A code as it came from elsewhere: it may be one that nobody here knows. */
export interface AnyCoded {
  readonly code: string
  readonly params?: Readonly<Record<string, unknown>> | undefined
}

/** What is said about a code; undefined for one that is not known here. */
export function sentenceOf<P>(sentences: Sentences<P>, coded: Coded<P>): string
export function sentenceOf<P>(sentences: Sentences<P>, coded: AnyCoded): string | undefined
export function sentenceOf(
  sentences: Readonly<Record<PropertyKey, string | ((params: object) => string)>>,
  { code, params = {} }: { readonly code: PropertyKey; readonly params?: object | undefined },
): string | undefined {
  const sentence = Object.hasOwn(sentences, code) ? sentences[code] : undefined
  return typeof sentence === 'function' ? sentence(params) : sentence
}

import Ajv from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** Reads an OpenAPI document and validates values by its schemas. */
// biome-ignore lint/suspicious/noExplicitAny: a document is read as what it is
export function createDocumentReader(document: any) {
  // Code that is compiled for some values need not be short.
  const ajv = new Ajv({ strict: false, inlineRefs: false, code: { optimize: false } });
  addFormats(ajv);
  ajv.addSchema(document, 'openapi');
  /** By pointer: compiling a schema takes long. */
  const validators = new Map<string, ReturnType<typeof ajv.compile>>();
  /** Follows a reference within the document. */
  // biome-ignore lint/suspicious/noExplicitAny: a document is read as what it is
  function resolveReference(part: any): any {
    if (!part.$ref) return part;
    const steps = part.$ref.slice(2).split('/');
    return resolveReference(
      steps.reduce((node: Record<string, unknown>, step: string) => node[step], document),
    );
  }
  return {
    resolveReference,
    /** Validates a value by the schema at a JSON pointer in the document. */
    isValid(pointer: string, value: unknown): boolean {
      const validate = validators.get(pointer) ?? ajv.compile({ $ref: `openapi#${pointer}` });
      validators.set(pointer, validate);
      return validate(value) as boolean;
    },
  };
}

/** A path as a part of a JSON pointer. */
export const escapePointer = (path: string) => path.replaceAll('/', '~1');

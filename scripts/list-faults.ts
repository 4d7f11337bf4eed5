import type { BinaryExpression, Node, SourceFile } from 'typescript/unstable/ast';
import { SyntaxKind } from 'typescript/unstable/ast';
import * as is from 'typescript/unstable/ast/is';

/** A change of a program that its tests should notice. */
export interface Fault {
  readonly file: string;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /** Nodes that have one type, if this is a fault at all. */
  readonly sameType?: readonly [Node, Node];
}

type Edit = Omit<Fault, 'file'>;

/** What each operator becomes. */
const OPERATORS = new Map<SyntaxKind, string>([
  [SyntaxKind.LessThanToken, '<='],
  [SyntaxKind.LessThanEqualsToken, '<'],
  [SyntaxKind.GreaterThanToken, '>='],
  [SyntaxKind.GreaterThanEqualsToken, '>'],
  [SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [SyntaxKind.AmpersandAmpersandToken, '||'],
  [SyntaxKind.BarBarToken, '&&'],
  [SyntaxKind.MinusToken, '+'],
]);

/** Methods without which a list is in another order, or has more elements. */
const LIST_METHODS = new Set(['filter', 'reverse', 'sort', 'toReversed', 'toSorted']);

/** Constants by which no response differs, whatever they are. */
const CACHE_SIZE = /^[A-Z_]*(CACHE|MEMOIZED)[A-Z_]*$/;

/** All faults that the syntax of a file allows. */
export function listFaults(file: string, source: SourceFile): Fault[] {
  const faults: Fault[] = [];
  const visit = (node: Node): void => {
    if (isWithoutEffect(node)) return;
    if (isDefaultOfElement(node)) visit(node.left);
    else {
      for (const edit of listEdits(node, source)) faults.push({ file, ...edit });
      node.forEachChild(visit);
    }
  };
  source.forEachChild(visit);
  return faults;
}

/** Types, which tests do not see, the causes of errors, which people read, and sizes of caches. */
function isWithoutEffect(node: Node): boolean {
  return (
    is.isTypeNode(node) ||
    is.isImportDeclaration(node) ||
    is.isInterfaceDeclaration(node) ||
    is.isTypeAliasDeclaration(node) ||
    is.isThrowStatement(node) ||
    (is.isVariableDeclaration(node) &&
      is.isIdentifier(node.name) &&
      CACHE_SIZE.test(node.name.text))
  );
}

function listEdits(node: Node, source: SourceFile): Edit[] {
  const text = (part: Node) => part.getText(source);
  const replace = (part: Node, replacement: string): Edit => ({
    start: part.getStart(source),
    end: part.end,
    replacement,
  });
  if (is.isBinaryExpression(node)) {
    const { left, operatorToken, right } = node;
    const operator = OPERATORS.get(operatorToken.kind);
    if (operator !== undefined) return [replace(operatorToken, operator)];
    if (operatorToken.kind === SyntaxKind.QuestionQuestionToken)
      return [replace(node, `(${text(left)})!`)];
    // Text or numbers: only the latter have a product.
    if (operatorToken.kind === SyntaxKind.PlusToken && is.isNumericLiteral(right))
      return [replace(operatorToken, '-')];
    return [];
  }
  if (is.isPrefixUnaryExpression(node) && node.operator === SyntaxKind.ExclamationToken)
    return [replace(node, text(node.operand))];
  if (is.isConditionalExpression(node)) {
    const { condition, whenTrue, whenFalse } = node;
    return [replace(node, `${text(condition)} ? ${text(whenFalse)} : ${text(whenTrue)}`)];
  }
  if (is.isNumericLiteral(node))
    return [replace(node, String(Number(text(node).replaceAll('_', '')) + 1))];
  if (node.kind === SyntaxKind.TrueKeyword) return [replace(node, 'false')];
  if (node.kind === SyntaxKind.FalseKeyword) return [replace(node, 'true')];
  if (is.isIfStatement(node)) {
    const whole = node.elseStatement ? [] : [replace(node, ';')];
    return [...whole, replace(node.expression, 'true')];
  }
  if (is.isExpressionStatement(node)) {
    if (text(node.expression).startsWith('super(')) return [];
    const awaited = is.isAwaitExpression(node.expression) ? [node.expression.expression] : [];
    return [replace(node, ';'), ...awaited.map((part) => replace(node, `void ${text(part)};`))];
  }
  if (is.isCallExpression(node)) {
    const { expression: callee, arguments: args } = node;
    const isOfList = is.isPropertyAccessExpression(callee) && LIST_METHODS.has(callee.name.text);
    if (/^Math\.(min|max)$/.test(text(callee))) return [];
    return [
      ...(isOfList ? [replace(node, text(callee.expression))] : []),
      ...args.slice(1).map((second, index): Edit => {
        const first = args[index] as Node;
        const range = { start: first.getStart(source), end: second.end };
        return {
          ...range,
          replacement: `${text(second)}, ${text(first)}`,
          sameType: [first, second],
        };
      }),
    ];
  }
  if (is.isPropertyAccessExpression(node) && node.questionDotToken && !isElement(node.expression))
    return [replace(node.questionDotToken, '!.')];
  if (is.isObjectLiteralExpression(node))
    return node.properties.map((part) => dropElement(part, source));
  if (is.isArrayLiteralExpression(node) && node.elements.length > 1)
    return node.elements.map((part) => dropElement(part, source));
  return [];
}

/** `list[0] ?? 0`: the compiler wants a default where there always is an element. */
function isDefaultOfElement(node: Node): node is BinaryExpression {
  return (
    is.isBinaryExpression(node) &&
    node.operatorToken.kind === SyntaxKind.QuestionQuestionToken &&
    isElement(node.left)
  );
}

/** An element of a list, or a property of it. */
function isElement(node: Node): boolean {
  if (is.isPropertyAccessExpression(node) && node.questionDotToken)
    return isElement(node.expression);
  return is.isElementAccessExpression(node) || /\.(?:at|pop|shift)\([^()]*\)$/.test(node.getText());
}

/** Without an element, and the comma after it. */
function dropElement(part: Node, source: SourceFile): Edit {
  const comma = /^\s*,/.exec(source.text.slice(part.end))?.[0].length ?? 0;
  return { start: part.getStart(source), end: part.end + comma, replacement: '' };
}

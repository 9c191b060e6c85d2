// Runs in a separate process: generated code is not trusted before it is verified.
import { answerQuestions as answer } from "../../processes/answer-questions.js";
import { answerQuestions } from "./answer-questions.js";

answer(answerQuestions);

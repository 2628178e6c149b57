/** The guard of Nest's authentication chapter. */
import { type CanActivate, type ExecutionContext, Inject, Injectable, UnauthorizedException } from '@nestjs/common'
import { JwtService } from '@nestjs/jwt'

export interface Caller {
  sub: string
  role: string
}

@Injectable()
export class AuthGuard implements CanActivate {
  constructor(@Inject(JwtService) private readonly jwt: JwtService) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest()
    const [type, token] = request.headers.authorization?.split(' ') ?? []
    if (type !== 'Bearer' || !token) throw new UnauthorizedException()
    try {
      request.caller = await this.jwt.verifyAsync<Caller>(token, { algorithms: ['HS256'] })
    } catch {
      throw new UnauthorizedException()
    }
    return true
  }
}

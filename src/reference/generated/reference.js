/*!
This file contains:

preact 11.2.0

The MIT License (MIT)

Copyright (c) 2015-present Jason Miller

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
*/
var v,Me,jt,M,me,re,De,ee,He,ge,he,Gt,V=Symbol.for("pv"),se={},ie=[],Vt=/^m(i|n|o|s|text|space)$/,ye=Array.isArray,qe=ie.slice,F=Object.assign;function B(e){e&&e.parentNode&&e.remove()}function te(e,t,n,o,r){var s={type:e,props:t,key:n,ref:o,__k:null,__:null,__b:0,__e:null,__c:null,constructor:V,__v:r||++Me,__i:-1,__u:0};return!r&&v.vnode&&v.vnode(s),s}function P(e){return e.children}function ne(e,t){this.props=e,this.context=t,this.__g=0}function D(e,t){if(t==null)return e.__&&D(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:D(e)}function Jt(e){var t,n=e.__v,o=n.__e,r=[],s=[],i=e.__P;i&&((t=F({constructor:V},n)).__v=n.__v+1,v.vnode&&v.vnode(t),ve(i,t,n,e.__n,i.namespaceURI,32&n.__u?[o]:null,r,o||D(n),32&n.__u,s),t.__v=n.__v,t.__.__k[t.__i]=t,Ve(r,t,s),n.__=n.__e=null,t.__e!=o&&Ue(t))}function Ue(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),Ue(e)}function Le(e){(8&e.__g||(e.__g|=8,M.push(e),re++))&&me==v.debounceRendering||((me=v.debounceRendering)||queueMicrotask)(Be)}function Be(){try{for(var e,t=1;M.length;)M.length>t&&M.sort(De),e=M.shift(),t=M.length,8&e.__g&&Jt(e)}finally{(re=M.length)&&(me||queueMicrotask)(Be)}}function Fe(e,t,n,o,r,s,i,l,_,f,u){var g,d,a,h,m,p,x=o.__k||ie,y=t.length;for(_=Wt(n,t,x,_,y),g=0;g<y;g++)(a=n.__k[g])!=null&&(d=~a.__i&&x[a.__i]||se,a.__i=g,p=ve(e,a,d,r,s,i,l,_,f,u),h=a.__e,(d.ref!=a.ref||8&d.__u)&&(d.ref&&xe(d.ref,null,a,d),a.ref&&u.push(a.ref,a.__c||h,a)),m=m||h,4&a.__u?(_=je(a,_,e,!d.__v),d.__e&&(d.__e=null)):typeof a.type=="function"&&p!==void 0?_=p:h&&(_=h.nextSibling),a.__u&=-21);return n.__e=m,_}function Wt(e,t,n,o,r){var s,i,l,_,f,u,g,d,a,h=n.length,m=h,p=0,x=0,y=e.__k=Array(r);for(s=0;s<r;s++)(i=t[s])!=null&&typeof i!="boolean"&&typeof i!="function"?(typeof i!="object"||i.constructor===String?i=y[s]=te(null,i):ye(i)?i=y[s]=te(P,{children:i}):i.constructor===V&&i.__b?i=y[s]=te(i.type,i.props,i.key,i.ref,i.__v):y[s]=i,_=s+p,i.__=e,i.__b=e.__b+1,l=null,~(f=i.__i=Kt(i,n,_,m))&&(m--,(l=n[f])&&(l.__u|=2)),l&&l.__v?(i.__u|=16,f==_-1?p--:f==_+1?p++:f!=_&&(f>_?p--:p++,x=1)):(~f||(r>h?p--:r<h&&p++),typeof i.type!="function"&&(i.__u|=4))):y[s]=null;if(x){for(u=[],g=[],s=0;s<r;s++)if((i=y[s])&&16&i.__u){for(p=0,d=u.length;p<d;)u[a=p+d>>1]<i.__i?p=a+1:d=a;u[p]=i.__i,g[s]=p+1}for(p=u.length;s--;)g[s]&&(g[s]==p?p--:y[s].__u|=4)}if(m)for(s=0;s<h;s++)!(l=n[s])||2&l.__u||(l.__e==o&&(o=D(l)),be(l,l));return o}function je(e,t,n,o){var r,s,i,l;if(typeof e.type=="function"){if(e.props.__P)return t;if(r=e.__k)for(s=0;s<r.length;s++)r[s]&&(r[s].__=e,t=je(r[s],t,n,!1));return t}for(t&&!t.parentNode&&(t=D(e))&&!t.parentNode&&(t=null),i=e.__e,l=t;l&&l.nodeType==8;)l=l.nextSibling;for(i!=l&&(!o&&n.moveBefore&&i.parentNode?n.moveBefore(i,t):n.insertBefore(i,t||null)),t=i;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function Kt(e,t,n,o){var r,{key:s,type:i}=e,l=t[n],_=l&&!(2&l.__u);if(l===null&&s==null||_&&s==l.key&&i==l.type)return n;if(o>(_?1:0)){for(r=n-1;r>=0;r--)if((l=t[r])&&!(2&l.__u)&&s==l.key&&i==l.type)return r;for(r=n+1;r<t.length;r++)if((l=t[r])&&!(2&l.__u)&&s==l.key&&i==l.type)return r}return-1}function $e(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function Z(e,t,n,o,r){var s,i;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof o=="string"&&(e.style.cssText=o=""),o)for(t in o)n&&t in n||$e(e.style,t);if(n)for(t in n)o&&n[t]==o[t]||$e(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof o!="function"&&(o=null),(e.__e||(e.__e={}))[t]=n,n&&o||(i=he[t]||(he[t]=Yt(t)),(e.__a||(e.__a={}))[t]=ge,s=t!=(t=t.replace(He,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,i,s):e.removeEventListener(t,i,s));else{if(r=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n==null?"":n)}catch(l){}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function Yt(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[ee]==null)t[ee]=ge++;else if(t[ee]<this.__a[e])return;return n(v.event?v.event(t):t)}}}function ve(e,t,n,o,r,s,i,l,_,f){var u,g,d,a,h,m,p,x,y,C,b,fe,Ie,Q,q,Re,L,U,R=t.type;if(t.constructor!==V)return null;128&n.__u&&(_=32&n.__u,u=n.__c.__z)&&(t.__u|=_,g=s=[],u.nodeType==8?l=oe(u,s):s.push(u),l=s[0]||l),(u=v.__b)&&u(t);e:if(typeof R=="function"){d=i.length;try{if(x=t.props,y=(u=R.prototype)&&u.render,C=(u=R.contextType)&&o[u.__c],b=u?C?C.props.value:u.__:o,(a=n.__c)?(t.__c=a,2&a.__g&&(a.__g|=1)):(y?t.__c=a=new R(x,b):(t.__c=a=new ne(x,b),a.constructor=R,a.render=Xt),C&&C.sub(a),a.state||(a.state={}),a.__n=o,a.__g|=8,a.__h=[],a.__k=[]),y&&(a.__s||(a.__s=a.state),R.getDerivedStateFromProps&&(a.__s==a.state&&(a.__s=F({},a.__s)),F(a.__s,R.getDerivedStateFromProps(x,a.__s)))),h=a.props,m=a.state,a.__v=t,n.__c){if(x!==h&&y&&!R.getDerivedStateFromProps&&a.componentWillReceiveProps&&a.componentWillReceiveProps(x,b),t.__v==n.__v&&!(8&a.__g)||!(4&a.__g)&&a.shouldComponentUpdate&&a.shouldComponentUpdate(x,a.__s,b)===!1){t.__v!=n.__v&&(a.props=x,a.state=a.__s,a.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(k){k&&(k.__=t)}),ie.push.apply(a.__h,a.__k),a.__k=[],a.__h.length&&i.push(a),l=D(n);break e}a.componentWillUpdate&&a.componentWillUpdate(x,a.__s,b),y&&a.componentDidUpdate&&a.__h.push(function(){a.componentDidUpdate(h,m,p)})}else y&&!R.getDerivedStateFromProps&&a.componentWillMount&&a.componentWillMount(),y&&a.componentDidMount&&a.__h.push(a.componentDidMount);a.context=b,a.props=x,a.__P=e,a.__g&=-5,fe=v.__r,Ie=y?25:0;do a.__g&=-9,fe&&fe(t),u=a.render(a.props,a.state=a.__s,a.context);while(8&a.__g&&++Ie<25);y&&(ie.push.apply(a.__h,a.__k),a.__k=[]),a.state=a.__s,a.getChildContext&&(o=F({},o,a.getChildContext())),y&&n.__c&&a.getSnapshotBeforeUpdate&&(p=a.getSnapshotBeforeUpdate(h,m)),Q=u&&u.type===P&&u.key==null?u.props.children:u,x.__P&&(u=l,r=(e=x.__P).namespaceURI,_=s=null,n.props&&n.props.__P!=e&&(n.__k.some(function(k){k&&be(k,k)}),n.__k=null),l=n.__k?D(n,0):null),l=Fe(e,ye(Q)?Q:[Q],t,n,o,r,s,i,l,_,f),x.__P&&(t.__e=null,l=u),t.__u&=-161,g&&g.some(B),a.__h.length&&i.push(a),1&a.__g&&(a.__g&=-4)}catch(k){if(i.length=d,t.__v=null,_||s)if(k&&k.then){if(t.__u|=128|_,s){for(~(L=s.indexOf(l||void 0))||(L=s.length);(U=s[L-1])&&U.nodeType==8;)L--;for(;L<s.length;L++)if(U=s[L])if(s[L]=null,q){if(U==Re)break}else{if(U.nodeType!=8)break;U.data.startsWith("$s")&&(Re=oe(q=U))}}if(!q){for(;l&&l.nodeType==8&&l.nextSibling;)l=l.nextSibling;q=l}(u=oe(q=t.__c.__z||(t.__c.__z=q)))?(t.__e=q,l=u):t.__e=l,l=l&&l.nextSibling}else s&&s.some(B);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),k&&k.then||Ge(t),v.__e(k,t,n)}}else l=t.__e=zt(n.__e,t,n,o,r,s,i,_,f,e);return(u=v.diffed)&&u(t),l}function oe(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function Ge(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(Ge))}function Ve(e,t,n){for(var o=0;o<n.length;)xe(n[o++],n[o++],n[o++]);v.__c&&v.__c(t,e),e.some(function(r){try{e=r.__h,r.__h=[],e.some(function(s){s.call(r)})}catch(s){v.__e(s,r.__v)}})}function zt(e,t,n,o,r,s,i,l,_,f){var u,g,d,a,h,m,p,x,y=n.props||se,{props:C,type:b}=t;if(b=="svg"?r="http://www.w3.org/2000/svg":b=="math"?r="http://www.w3.org/1998/Math/MathML":r||(r="http://www.w3.org/1999/xhtml"),s){for(u=0;u<s.length;u++)if((h=s[u])&&(b?h.localName==b:h.nodeType==3)){e=h,s[u]=null;break}}if(!e){if(x=f.ownerDocument||document,!b)return x.createTextNode(C);e=x.createElementNS(r,b,C.is?C:f),l&&(v.__m&&v.__m(t,s),l=!1),s=null}if(b){if(f=b=="template"&&e.content||e,s=b=="textarea"&&C.defaultValue!=null?null:s&&qe.call(f.childNodes),!l&&s)for(y={},u=0;u<e.attributes.length;u++)y[(h=e.attributes[u]).name]=h.value;for(u in y)h=y[u],u=="dangerouslySetInnerHTML"?d=h:u=="children"||(u in C)||u=="value"&&("defaultValue"in C)||u=="checked"&&("defaultChecked"in C)||Z(e,u,null,h,r);for(u in C)h=C[u],u=="children"?a=h:u=="dangerouslySetInnerHTML"?g=h:u=="value"?m=h:u=="checked"?p=h:l&&typeof h!="function"||y[u]===h||Z(e,u,h,y[u],r);g?(l||d&&(g.__html==d.__html||g.__html==e.innerHTML)||(e.innerHTML=g.__html),t.__k=[]):(d&&(e.textContent=""),(b=="foreignObject"||r=="http://www.w3.org/1998/Math/MathML"&&Vt.test(b))&&(r="http://www.w3.org/1999/xhtml"),Fe(f,ye(a)?a:[a],t,n,o,r,s,i,s?s[0]:n.__k&&D(n,0),l,_),s&&s.some(B)),l&&b!="textarea"||(u="value",b=="progress"&&m==null?e.removeAttribute(u):m==null||m===e[u]&&(b!="progress"||m)||Z(e,u,m,y[u],r),u="checked",p!=null&&p!=e[u]&&Z(e,u,p,y[u],r))}else y===C||l&&e.data==C||(e.data=C);return e}function xe(e,t,n,o){try{typeof e=="function"?t?t.__x=e(t)||1:o&&(o=o.__c||o.__e)&&(t=o.__x)&&(o.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(r){v.__e(r,n)}}function be(e,t,n){var o,r,s,i;if(v.unmount&&v.unmount(e),!(o=e.ref)||o.current&&o.current!=e.__e||xe(o,null,t,e),o=e.__c){if(o.componentWillUnmount)try{o.componentWillUnmount()}catch(l){v.__e(l,t)}o.__P=o.__n=null}if(o=e.__k)for(i=0;i<o.length;i++)o[i]&&be(o[i],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(o=e.__c)&&(o=o.__z)&&(r=oe(o,s=[]))&&(o==e.__e&&s.some(B),B(r),B(o)),n||B(e.__e),e.__e=e.__c=e.__=null}function Xt(e,t,n){return this.constructor(e,n)}function Qt(e,t){var n,o,r,s;v.__&&v.__(e,t),t.nodeType==9&&(t=t.documentElement),o=(n=e&&32&e.__u)?null:t.__k,t.__k=te(P,{children:[e]}),r=[],s=[],ve(t,t.__k,o||se,se,t.namespaceURI,o?null:t.firstChild?qe.call(t.childNodes):null,r,o?o.__e:t.firstChild,n,s),Ve(r,t.__k,s),t.__k.props.children=null}function Je(e,t){e&&typeof e=="object"&&(e.__u|=32),Qt(e,t)}v={__e:function(e,t,n,o){for(var r,s,i;t=t.__;)if((r=t.__c)&&!(1&r.__g)){r.__g|=4;try{if((i=(s=r.constructor)&&s.getDerivedStateFromError)&&r.setState(s.getDerivedStateFromError(e)),r.componentDidCatch&&(r.componentDidCatch(e,o||{}),i=1),i&&8&r.__g)return void(r.__g|=2)}catch(l){e=l}}throw re=0,e}},Me=0,jt=function(e){return e!=null&&e.constructor===V},ne.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=F({},this.state)),typeof e=="function"&&(e=e(F({},n),this.props)),e&&(F(n,e),this.__v&&(t&&this.__k.push(t),Le(this)))},ne.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),Le(this))},ne.prototype.render=P,M=[],re=0,De=function(e,t){return e.__v.__b-t.__v.__b},ee=Symbol(),He=/(PointerCapture)$|Capture$/i,ge=0,he={},Gt=0;var W,E,Se,We,Ee=Object.is,ae=0,nt=[],Ce=[],S=v,{__b:Ke,__r:Ye,diffed:ze,__c:Xe,unmount:Qe,__:Ze}=S;function ke(e,t){S.__h&&S.__h(E,e,ae||t),ae=0;var n=E.__H||(E.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function w(e){return ae=1,Zt(rt,e)}function Zt(e,t,n){var o=ke(W++,2);if(o.t=e,!o.__c&&(o.__=[n?n(t):rt(void 0,t),function(s){var i=(o.__N||o.__)[0],l=o.t(i,s);Ee(i,l)||(o.__N=[l,o.__[1]],o.__c.setState({}))}],o.__c=E,!E.__f)){E.__f=!0;var r=E.shouldComponentUpdate;E.shouldComponentUpdate=function(s,i,l){var _=this.__H;if(!_)return!0;var f=!1,u=this.props!=s;if(_.__.some(function(d){d.__N&&(f=!0,Ee(d.__[0],d.__N[0])||(u=!0))}),r){var g=r.call(this,s,i,l);return f?g||u:g}return!f||u}}return o.__}function j(e,t){var n=ke(W++,4);!S.__s&&ot(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,E.__h.push(n))}function le(e){return ae=5,en(function(){return{current:e}},[])}function en(e,t){var n=ke(W++,7);return ot(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function tn(){var e;do{for(;e=Ce.shift();)try{J(e)}catch(n){S.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=nt.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(J),t.__h.some(Te),t.__h=[]}catch(n){t.__h=[],S.__e(n,e.__v)}}}while(Ce.length)}S.__b=function(e){E=null,Ke&&Ke(e)},S.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),Ze&&Ze(e,t)},S.__r=function(e){Ye&&Ye(e),W=0;var t=(E=e.__c).__H;t&&(Se==E?E.__h=[]:(t.__h.some(J),t.__h.some(Te),W=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),Se=E},S.diffed=function(e){ze&&ze(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&tt(nt.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),Se=E=null},S.__c=function(e,t){t.some(function(n){try{n.__h.some(J),n.__h=n.__h.filter(function(o){return!o.__||Te(o)})}catch(o){n.__h=[function(){throw o}]}}),Xe&&Xe(e,t)},S.unmount=function(e){Qe&&Qe(e);var t,n,o=e.__c;o&&o.__H&&(o.__H.__.some(function(r){try{if(r.__P&&r.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}r.__P=n,tt(Ce.push(r))}else J(r)}catch(s){t=s}}),o.__H=void 0,t&&S.__e(t,o.__v))};var et=typeof requestAnimationFrame=="function";function nn(e){var t,n=function(){clearTimeout(o),et&&cancelAnimationFrame(t),setTimeout(e)},o=setTimeout(n,35);et&&(t=requestAnimationFrame(n))}function tt(e){e!=1&&We==S.requestAnimationFrame||((We=S.requestAnimationFrame)||nn)(tn)}function J(e){var t=E,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),E=t}function Te(e){var t=E;e.__c=e.__(),E=t}function ot(e,t){return!e||e.length!=t.length||t.some(function(n,o){return!Ee(n,e[o])})}function rt(e,t){return typeof t=="function"?t(e):t}var on=Symbol.for("pv"),rn=0;function c(e,t,n,o,r,s){t||(t={});var i,l,_=t;if("ref"in _&&typeof e!="function")for(l in _={},t)l=="ref"?i=t[l]:_[l]=t[l];var f={type:e,props:_,key:n,ref:i,__k:null,__:null,__b:0,__e:null,__c:null,constructor:on,__v:--rn,__i:-1,__u:0};return(r||s)&&(f.__source=r,f.__self=s),v.vnode&&v.vnode(f),f}function K({language:e,code:t}){return c("pre",{class:"code",tabIndex:0,children:c("code",{children:ln(e,t).map(({kind:n,text:o})=>n===void 0?o:c("span",{class:`code-${n}`,children:o}))})})}function st(){return c("button",{type:"button",class:"copy secondary small","aria-live":"polite",children:"Copy"})}var sn=we({name:/"(?:[^"\\\n]|\\.)*"(?=\s*:)|\b\w+(?=\()/,comment:/(?:\/\/|#).*/,string:/"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|`[^`]*`?/,number:/(?<![\w.])-?\d+(?:\.\d+)?n?\b/,keyword:new RegExp("\\b(?:const|let|await|new|throw|import|from|null|undefined|true|false|if|for|while|of|with|as|try|except|raise|package|func|var|defer|nil)\\b")}),an={curl:we({comment:/(?<=^|\s)#.*/,string:/'[^']*'?|"[^"]*"?/,keyword:/(?<=\s)--?[a-zA-Z][\w-]*/,name:/^curl\b/}),http:we({name:/^[\w-]+(?=:)/})};function we(e){let t=Object.entries(e).map(([n,{source:o}])=>`(?<${n}>${o})`);return new RegExp(t.join("|"),"gm")}function ln(e,t){let n=[],o=0;for(let{0:r,index:s,groups:i={}}of t.matchAll(an[e]??sn)){if(r==="")continue;if(s>o)n.push({text:t.slice(o,s)});n.push({kind:Object.keys(i).find((l)=>i[l]!==void 0),text:r}),o=s+r.length}if(o<t.length)n.push({text:t.slice(o)});return n}function H(e){return`${e}/pets?limit=100`}var Ae="/v1";var it="/docs/errors";var at="/docs/search.json",lt="/docs/search.js";var ut="/client.tgz",zn={deprecatedAt:new Date("2026-11-14T00:00:00Z"),removedAt:new Date("2030-12-05T00:00:00Z"),successor:"listPets",advice:`Use \`GET ${Ae}/pets\` with the \`status\` filter. To read one pet, use \`after={petId - 1}&limit=1\` and compare the id: if no pet has this id, the response has the next pet.`};var ct=-(2n**63n),pt=2n**63n-1n,Qn=`must be an integer from ${ct} to ${pt}`,un=/^(?:0|-?[1-9][0-9]{0,18})$/,cn=/^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;function _t(e){return e>=ct&&e<=pt}function pn(e){if(!un.test(e))return;let t=BigInt(e);return _t(t)?t:void 0}function dt(e){let t=pn(e);if(t!==void 0||!/[.eE]|^-0$/.test(e))return t;let n=cn.exec(e);if(n===null)return;let[,o,r="",s="",i="0"]=n,l=r+s,_=0;while(l.charCodeAt(_)===48)_++;let f=l.length;while(f>_&&l.charCodeAt(f-1)===48)f--;let u=l.slice(_,f);if(u==="")return 0n;let g=Number(i)-s.length+(l.length-f);if(g<0||u.length+g>19)return;let d=BigInt(`${o}${u}${"0".repeat(g)}`);return _t(d)?d:void 0}class ce extends Error{name="JsonSyntaxError"}var ft=64,mt=34,_n=32,Pe=/[ \n\r\t]*/y,gt="\\u0000-\\u001F",ht=new RegExp(`[${gt}]`,"g"),dn=new RegExp(`[\\\\${gt}]`),ue=/-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;function yt(e,t=Number.POSITIVE_INFINITY){let n=0,o=0;function r(m){throw new ce(`is not valid JSON: ${m} at character ${n+1}`)}function s(){if(e.charCodeAt(n)>_n)return;Pe.lastIndex=n,Pe.test(e),n=Pe.lastIndex}function i(m){if(!e.startsWith(m,n))return!1;return n+=m.length,!0}function l(){let m=n;do if(n=e.indexOf('"',n+1),n===-1)f(m,e.length,"a string has no end");while(_(n));n++;let p=e.slice(m+1,n-1);if(!dn.test(p))return p;try{return JSON.parse(e.slice(m,n))}catch{return f(m,n,"a string has an invalid escape")}}function _(m){let p=m;while(e[p-1]==="\\")p--;return(m-p)%2===1}function f(m,p,x){if(ht.lastIndex=m,n=ht.exec(e)?.index??p,n<p)r("a string has an unescaped control character");n=p,r(x)}function u(){if(ue.lastIndex=n,!ue.test(e))r("expected a value");let m=e.slice(n,ue.lastIndex);return n=ue.lastIndex,dt(m)??Number(m)}function g(m){let p=[];if(s(),i("]"))return p;do p.push(a(m));while(i(","));if(!i("]"))r('expected "," or "]"');return p}function d(m){let p=Object.create(null);if(s(),i("}"))return p;do{if(s(),e.charCodeAt(n)!==mt)r("expected the name of a field in double quotes");let x=n,y=l();if(y in p)n=x,r("a field is repeated");if(s(),!i(":"))r('expected ":"');p[y]=a(m)}while(i(","));if(!i("}"))r('expected "," or "}"');return p}function a(m){if(m>ft)throw new ce(`is nested deeper than ${ft} levels`);if(++o>t)throw new ce(`has more than ${t} values`);s();let p;if(e.charCodeAt(n)===mt)p=l();else if(i("{"))p=d(m+1);else if(i("["))p=g(m+1);else if(i("true"))p=!0;else if(i("false"))p=!1;else if(i("null"))p=null;else p=u();return s(),p}let h=a(1);if(n<e.length)r("expected the end");return h}function pe(e,t){return JSON.stringify(e,(o,r)=>typeof r==="bigint"?JSON.rawJSON(String(r)):r,t)}function N({baseUrl:e,path:t,values:n}){let o=t.replace(/\{(\w+)\}/g,(s,i)=>encodeURIComponent((n.path[i]??"").toWellFormed())),r=new URLSearchParams(n.query);return`${e}${o}${r.size>0?`?${r}`:""}`}function O({values:e,otherBody:t}){return t??(e.body&&pe(e.body))}function I(e){let t=Object.entries(e.values.header);if(O(e)!==void 0)t.push(["Content-Type","application/json"]);return t}function vt(e){return`npm install ${e.slice(0,-Ae.length)}${ut}`}var xt={id:"curl",title:"curl",request(e){let t=O(e),n=["-i --fail-with-body",'-H "Authorization: Bearer $ANIMAL_STORE_API_KEY"',...I(e).map(([o,r])=>`-H ${Oe(`${o}: ${r}`)}`),...t===void 0?[]:[`--data-raw ${Oe(t)}`]];return[`curl -X ${e.method} ${Oe(N(e))}`,...n].join(" \\\n  ")},pageLoop:(e)=>`url='${H(e)}'
while [ -n "$url" ]; do
  curl -sS --fail-with-body -D headers.txt "$url" \\
    -H "Authorization: Bearer $ANIMAL_STORE_API_KEY" || exit 1
  url=$(sed -n 's/^[Ll]ink: <\\([^>]*\\)>; rel="next".*/\\1/p' headers.txt)
done`};function Oe(e){return`'${e.replaceAll("'","'\\''")}'`}var Y=/^-?(?:0|[1-9][0-9]*)$/,fn=/[\u007f-\u009f\u00ad\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;function A(e){return JSON.stringify(e).replace(fn,(t)=>`\\u${t.charCodeAt(0).toString(16).padStart(4,"0")}`)}function T(e){return`'${A(e).slice(1,-1).replaceAll("\\\"",'"').replaceAll("'","\\'")}'`}var _e={id:"fetch",title:"JavaScript",request(e){let t=O(e),n=I(e).map(([o,r])=>`    ${T(o)}: ${T(r)},
`);return`const response = await fetch(${T(N(e))}, {
  method: '${e.method}',
  headers: {
    Authorization: \`Bearer \${process.env.ANIMAL_STORE_API_KEY}\`,
${n.join("")}  },
${t===void 0?"":`  body: ${T(t)},
`}});

// JSON.parse would round ids beyond 2^53.
const text = await response.text();
console.log(response.status, text);
if (!response.ok) throw new Error(JSON.parse(text).code);`},pageLoop:(e)=>`let url = ${T(H(e))};
while (url !== undefined) {
  const response = await fetch(url, {
    headers: { Authorization: \`Bearer \${process.env.ANIMAL_STORE_API_KEY}\` },
  });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  console.log(text);
  const link = response.headers.get('Link');
  url = /<([^>]*)>; rel="next"/.exec(link)?.[1];
}`};var bt={id:"go",title:"Go",request(e){let t=O(e),n=["fmt","io","log","net/http","os"];if(t!==void 0)n.push("strings");let o=I(e).map(([r,s])=>`	request.Header.Set(${A(r)}, ${A(s)})
`);return`package main

import (
${n.map((r)=>`	"${r}"
`).join("")})

func main() {
	request, err := http.NewRequest(
		"${e.method}",
		${A(N(e))},
		${t===void 0?"nil":`strings.NewReader(${mn(t)})`},
	)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("ANIMAL_STORE_API_KEY"))
${o.join("")}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()

	body, err := io.ReadAll(response.Body)
	if err != nil {
		log.Fatal(err)
	}
	if response.StatusCode >= 300 {
		log.Fatalln(response.Status, string(body))
	}
	fmt.Println(response.Status, string(body))
}`},pageLoop:(e)=>`package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"regexp"
)

var next = regexp.MustCompile(\`<([^>]*)>; rel="next"\`)

func main() {
	url := ${A(H(e))}
	for url != "" {
		request, err := http.NewRequest("GET", url, nil)
		if err != nil {
			log.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+os.Getenv("ANIMAL_STORE_API_KEY"))
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			log.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || response.StatusCode >= 300 {
			log.Fatal(response.Status, string(body), err)
		}
		fmt.Println(string(body))

		url = ""
		if link := next.FindStringSubmatch(response.Header.Get("Link")); link != nil {
			url = link[1]
		}
	}
}`};function mn(e){let t=A(e);return/[`\r]/.test(e)||/\\u/.test(t)?t:`\`${e}\``}var St={id:"python",title:"Python",request(e){let t=O(e),n=I(e).map(([o,r])=>`        ${A(o)}: ${A(r)},
`);return`import json
import os
import urllib.error
import urllib.request

request = urllib.request.Request(
    ${A(N(e))},
    method="${e.method}",
    headers={
        "Authorization": f"Bearer {os.environ['ANIMAL_STORE_API_KEY']}",
${n.join("")}    },
${t===void 0?"":`    data=${T(t)}.encode(),
`})

try:
    with urllib.request.urlopen(request) as response:
        print(response.status, json.load(response))
except urllib.error.HTTPError as error:
    problem = json.load(error)
    raise SystemExit(f"{error.code} {problem['code']}: {problem['message']}")`},pageLoop:(e)=>`import json
import os
import re
import urllib.request

url = ${A(H(e))}
headers = {"Authorization": f"Bearer {os.environ['ANIMAL_STORE_API_KEY']}"}
while url:
    request = urllib.request.Request(url, headers=headers)
    with urllib.request.urlopen(request) as response:
        for pet in json.load(response):
            print(pet)
        link = response.headers.get("Link", "")
    following = re.search('<([^>]*)>; rel="next"', link)
    url = following and following[1]`};var Et={id:"int64",name:"text",categoryId:"int64",status:"text"};var kt={id:"typescript",title:"TypeScript",request(e){let t=hn[e.operation](e);if(t===void 0)return`// The client sends only pets. Other JSON needs fetch.
${_e.request(e)}`;return`${Ct(e.baseUrl)}

${t}`},pageLoop:(e)=>`${Ct(e)}

// Requests the next page when the loop gets there.
for await (const pet of store.pets({ pageSize: 100 })) console.log(pet);`};function Ct(e){return`// ${vt(e)}
import { AnimalStore } from '@animal-store/client';

// The client reads the key from ANIMAL_STORE_API_KEY.
const store = new AnimalStore({ baseUrl: ${T(e)} });`}var hn={listPets({values:e}){return`const page = await store.listPets(${Tt(e.query,(n,o)=>gn[n](o))});
console.log(page.pets);`},createPet({values:e,otherBody:t}){if(t!==void 0)return;let n=Tt(e.body??{},yn),o=e.header["Idempotency-Key"],r=o===void 0?"":`, { idempotencyKey: ${T(o)} }`;return`const pet = await store.createPet(${n}${r});
console.log(pet);`},getPet:({values:e})=>`// Uses getPet until its removal, and the list afterwards.
const pet = await store.findPet(${wt(e.path.petId??"")});
console.log(pet); // undefined if there is none`},gn={limit:(e)=>Y.test(e)?e:T(e),status:T,after:wt};function wt(e){return Y.test(e)?`${e}n`:T(e)}function yn(e,t){if(typeof t==="string")return T(t);return Et[e].startsWith("int64")?`${t}n`:`${t}`}function Tt(e,t){let n=Object.entries(e).map(([o,r])=>`  ${o}: ${t(o,r)},
`);return n.length===0?"":`{
${n.join("")}}`}var de=[xt,kt,_e,St,bt];class z extends EventTarget{#t;#e;constructor(e,t){super();this.#e=At(()=>e().getItem(t))??"",this.#t=(n)=>At(()=>e().setItem(t,n))}get value(){return this.#e}set(e){this.#e=e,this.#t(e),this.dispatchEvent(new Event("change"))}}function X(e,t){let[n,o]=w(t);return j(()=>{let r=()=>o(e.value);e.addEventListener("change",r),r()},[e]),n}function At(e){try{return e()}catch{return}}var G=new z(()=>sessionStorage,"animal-store.key");function Pt(e){let t=X(G,"");return c("form",{class:"key-field needs-script",onSubmit:(n)=>n.preventDefault(),children:[c("label",{for:"api-key",children:["API key ",c("span",{class:"note",children:"kept until the tab closes"})]}),c("input",{id:"api-key",type:"password",autocomplete:"off",placeholder:"ask_…",value:t,onInput:({currentTarget:n})=>G.set(vn(n.value))})]})}function vn(e){return e.replace(/^\s*Bearer\s|\s/gi,"")}var xn=["bad","neutral","good","info","warning","bad"];function Ot({status:e,title:t}){return c("span",{class:`badge status ${xn[Math.floor(e/100)]}`,children:t??e})}function Nt({outcome:e,isSending:t}){let{title:n,status:o=0,note:r,body:s,headers:i,errorCode:l}=e;return c("div",{class:"response","aria-busy":t,children:[c("p",{role:"status",class:"line",children:t?"Sending…":c(P,{children:[c(Ot,{status:o,title:n})," ",c("span",{class:"note",children:r})]})}),l!==void 0&&c("p",{class:"error-code",children:["Error"," ",c("a",{href:`.${it}#${l}`,children:c("code",{children:l})}),": what it means and what to do"]}),s&&c(K,{language:"json",code:bn(s)}),i!==void 0&&c("details",{children:[c("summary",{children:["Headers ",c("span",{class:"note",children:i.length})]}),c(K,{language:"http",code:i.map(([_,f])=>`${_}: ${f}`).join(`
`)})]})]})}function bn(e){try{return pe(yt(e),2)}catch{return e}}var Sn=/#(\w+)>; rel="help"/,En=/[?&]after=(-?\d+)[^>]*>; rel="next"/;function It(e){let[t,n]=w(e),[o,r]=w(!1),s=le(void 0);return{outcome:t,isSending:o,sendOrCancel:async(l)=>{if(s.current!==void 0)return s.current.abort();s.current=new AbortController,r(!0),n(await Cn(l,s.current.signal)),r(!1),s.current=void 0}}}async function Cn(e,t){let{method:n}=e,o=I(e);if(G.value!=="")o.push(["Authorization",`Bearer ${G.value}`]);let r=performance.now();if(o.some(([,s])=>/[^\x20-\x7e]/.test(s)))return{title:"Not sent",note:Tn};try{let s=await fetch(N(e),{method:n,headers:o,signal:t,body:O(e)??null,cache:"no-store",credentials:"omit"});return await wn(s,r)}catch(s){if(!t.aborted)return{title:"No response",note:`${kn} ${s}`};return{title:"Canceled",note:n==="GET"?"":"The service may have processed the request already."}}}var Tn="A header may contain only ASCII characters. Check your API key.",kn="The service cannot be reached from this page. Check your connection and the headers.";async function wn(e,t){let{status:n,statusText:o,headers:r}=e,s=await e.text(),i=r.get("Link")??"";return{title:`${n} ${o}`.trim(),status:n,note:`${Math.round(performance.now()-t)} ms${An(r)}`,body:s,headers:[...r],nextAfter:En.exec(i)?.[1],errorCode:Sn.exec(i)?.[1]}}function An(e){let[t,n,o]=["Limit","Remaining","Reset"].map((s)=>e.get(`X-RateLimit-${s}`));if(!o)return"";let r=new Date(Number(o)*1000).toLocaleTimeString("en-GB");return`, ${n} of ${t} requests left until ${r}`}function $t({id:e,request:t,example:n}){let o=le(null),[r,s]=w(t),{outcome:i,isSending:l,sendOrCancel:_}=It(n),f=X(G,"rendered")!=="",{nextAfter:u}=i;j(()=>{let d=o.current?.closest("form");if(!d)return;let a=()=>s(Lt(d,t));d.addEventListener("input",a),d.addEventListener("submit",(h)=>{h.preventDefault(),a(),_(Lt(d,t))}),a()},[]);let g=()=>{let d=o.current?.closest("form"),a=d?.querySelector("[name=after]");if(!d||!a)return;a.value=u??"",d.requestSubmit()};return c("div",{class:"panel",ref:o,children:[c(Dt,{codeOf:(d)=>d.request(r)}),c("div",{class:"line send needs-script",children:[c("button",{type:"submit",onClick:(d)=>d.detail>1&&d.preventDefault(),children:[l?"Cancel":"Send",c("span",{class:"hidden",children:[" ",r.operation]})]}),f||c("a",{href:"#api-key",children:"Enter your API key"})]}),c(Nt,{outcome:i,isSending:l}),e===r.operation&&u!==void 0&&c("p",{children:c("button",{type:"button",class:"secondary",onClick:g,children:"Next page"})})]})}function Mt({baseUrl:e}){let[t,n]=w(e);return j(()=>n(Ht()),[]),c("div",{class:"panel",children:c(Dt,{codeOf:(o)=>o.pageLoop(t)})})}var Rt=new z(()=>localStorage,"animal-store.language");function Dt({codeOf:e}){let t=X(Rt,""),n=de.find(({id:o})=>o===t)??de[0];return c(P,{children:[c("div",{class:"line needs-script",children:[c("select",{"aria-label":"Language",value:n.id,onChange:({currentTarget:o})=>Rt.set(o.value),children:de.map(({id:o,title:r})=>c("option",{value:o,children:r},o))}),c(st,{})]}),c(K,{language:n.id,code:e(n)})]})}function Lt(e,t){let n=structuredClone(t.values);for(let{name:r,value:s,inputMode:i,dataset:l}of e.querySelectorAll("[data-place]")){let _=n[l.place]??{},f=s.trim(),u=_===n.body,g=u&&i==="numeric"&&Y.test(f),d=u&&l.type==="boolean";if(_[r]=g?BigInt(f):d?f==="true":f,f==="")delete _[r]}let o=e.querySelector("details[open] textarea")?.value.toWellFormed()||void 0;return{...t,baseUrl:Ht(),values:n,otherBody:o}}function Ht(){return new URL("./v1",location.href).href}function qt({root:e}){let[t,n]=w(""),[o,r]=w(),[s,i]=w("Loading…");j(In,[]);let l=async()=>{try{let u=o??await Nn(e);r(()=>u)}catch{i("Search is not available. Reload the page to try again.")}},_=o?.(t)??[],f=()=>{n(""),document.activeElement.blur()};return c("search",{class:"search needs-script",onKeyDown:(u)=>u.key==="Escape"?f():Pn(u),children:[c("input",{id:"search",type:"search","aria-label":"Search the documentation","aria-keyshortcuts":"/",placeholder:"Type / to search",autocomplete:"off",spellcheck:!1,value:t,onInput:({currentTarget:u})=>n(u.value),onFocus:l}),c("div",{class:"search-list",hidden:t==="",children:[_.map(({title:u,place:g,text:d,href:a})=>c("a",{href:e+a,tabIndex:0,onClick:f,children:[c("b",{children:u}),c("span",{class:"note",children:g}),c("span",{class:"search-text note",children:d})]},a)),c("p",{role:"status",class:"note",children:o===void 0?s:On(_)})]})]})}function Pn(e){let t=[...e.currentTarget.querySelectorAll("input, a")],n=t.indexOf(e.target);if(e.key==="ArrowDown")t[(n+1)%t.length]?.focus();else if(e.key==="ArrowUp")t.at(n-1)?.focus();else if(e.key==="Enter"&&n===0)t[1]?.click();else return;e.preventDefault()}function On({length:e}){return e===1?"1 result":`${e||"No"} results`}async function Nn(e){let t=(r)=>new URL(e+r.slice(1),location.href).href,[{newSearch:n},o]=await Promise.all([import(t(lt)),fetch(t(at))]);return n(await o.json())}function In(){document.addEventListener("keydown",(e)=>{let{key:t,ctrlKey:n,metaKey:o,altKey:r,target:s}=e;if(t!=="/"||n||o||r)return;if(s instanceof Element&&s.matches("input, select, textarea"))return;e.preventDefault(),document.getElementById("search")?.focus()})}var Rn={"code-panel":$t,"loop-panel":Mt,"key-field":Pt,"search-box":qt};function Ut(){for(let e of document.querySelectorAll("[data-island]")){let{island:t,props:n="{}"}=e.dataset,o=Rn[t];Je(c(o,{...JSON.parse(n)}),e)}}function Bt(e){let t=new Map,n=new IntersectionObserver((o)=>{for(let{target:r,isIntersecting:s}of o){let i=t.get(r);if(i?.removeAttribute("aria-current"),i===void 0||!s)continue;i.setAttribute("aria-current","location"),Ln(e,i)}},{rootMargin:"-20% 0px -80%"});for(let o of e.querySelectorAll("li a")){let r=document.getElementById(o.hash.slice(1));if(r===null||o.pathname!==location.pathname)continue;t.set(r,o),n.observe(r)}}function Ln(e,t){let n=e.getBoundingClientRect(),o=t.getBoundingClientRect().top-(n.top+n.height/2);if(Math.abs(o)>n.height/4)e.scrollTop+=o}function Ft(e){e.addEventListener("click",({target:t})=>{if(t instanceof Element&&t.closest("a")!==null&&e.matches(":popover-open"))e.hidePopover()})}var $n=2000;Ut();Mn();var Ne=document.getElementById("navigation");if(Ne!==null)Bt(Ne),Ft(Ne);function Mn(){document.addEventListener("click",async({target:e})=>{let t=e instanceof Element?e.closest(".copy"):null,n=t?.closest(":has(pre)")?.querySelector("pre"),o=t?.firstChild;if(!n||!o)return;await Dn(n),o.nodeValue="Copied",setTimeout(()=>{o.nodeValue="Copy"},$n)})}async function Dn(e){try{await navigator.clipboard.writeText(e.innerText)}catch{getSelection()?.selectAllChildren(e),document.execCommand("copy")}}
